// Made by js/build.mjs (make bundle); edit js/src/panel instead. sources bdbe34902ec5fe1622c9a36a59efdb5ca3ab5bb7088fab8f114da41943672570 body d3df8bdf1e6f41ca63d74b2f29554bcaa5b29ab8b32ec7932aa161de821c3756
var SVG="http://www.w3.org/2000/svg";function dress(made,attributes,children){for(let[name,value2]of Object.entries(attributes))name.startsWith("on")?made.addEventListener(name.slice(2),value2):name==="text"?made.textContent=value2:value2!=null&&value2!==!1&&made.setAttribute(name,value2===!0?"":value2);return made.append(...children),made}var FOCUSED=new Set(["button","canvas","input","select"]),OWN_KEYS={"data-lm-suppress-shortcuts":!0},element=(name,attributes={},...children)=>dress(document.createElement(name),FOCUSED.has(name)?{...OWN_KEYS,...attributes}:attributes,children),drawn=(name,attributes={},...children)=>dress(document.createElementNS(SVG,name),attributes,children);function attribute(node,name,value2){node.getAttribute(name)!==value2&&node.setAttribute(name,value2)}function onResize(node,act2){new ResizeObserver(([{contentRect:{width:width2,height}}])=>node.isConnected&&act2(Math.round(width2),Math.round(height))).observe(node)}function consume(event){event.preventDefault(),event.stopPropagation()}function offer(select,options,chosen=select.value){let key=JSON.stringify(options);select.dataset.options!==key&&(select.replaceChildren(...options.map(([value2,text,disabled])=>element("option",{value:value2,text,disabled}))),select.dataset.options=key),options.some(([value2])=>String(value2)===String(chosen))&&(select.value=String(chosen))}function write(node,text){node.textContent!==text&&(node.textContent=text)}var look_default=`/* Colours, type and what all pages share; their roots have the class clwork-look. */
.clwork-look {
  --ground: #ffffff;
  --raised: #f5f7f9;
  --ink: #1d232b;
  --soft: #59636f;
  --accent: #0b62c4;
  --on-accent: #ffffff;
  --was: #656e7a;
  --trouble: #a84300;
  --edge: #7f8994;
  --rule: #dde2e8;
  --tint: #e8f1fc;
  --band: #eceff2;
  --tint-trouble: #fff1e6;
  --small: 12px;
  --normal: 14px;
  --large: 18px;
  --line-small: 16px;
  --line: 20px;
  --line-large: 24px;
  --control: 32px;
  container-type: inline-size;
  position: relative;
  box-sizing: border-box;
  color: var(--ink);
  background: var(--ground);
  color-scheme: light;
  font:
    400 var(--normal) / var(--line) system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    "DejaVu Sans",
    sans-serif;
  font-variant-numeric: tabular-nums;
}
.clwork-look[data-theme="dark"] {
  --ground: #14181d;
  --raised: #1c2229;
  --ink: #e9edf1;
  --soft: #a3adb8;
  --accent: #6cb2ff;
  --on-accent: #14181d;
  --was: #8d97a3;
  --trouble: #ffab62;
  --edge: #6f7a87;
  --rule: #313944;
  --tint: #16304d;
  --band: #232a32;
  --tint-trouble: #3a2615;
  color-scheme: dark;
}
.clwork-look *,
.clwork-look *::before {
  box-sizing: border-box;
}
/* Buttons, menus and fields have one style on all pages. */
/* :not(a a) outweighs Jupyter's rules for elements, and no rule of a page that has two classes, whichever page is mounted last. */
.clwork-look:not(a a) :where(button, select, input, textarea) {
  margin: 0;
  font: inherit;
  font-variant-numeric: inherit;
  letter-spacing: inherit;
  color: inherit;
  box-shadow: none;
}
.clwork-look:not(a a)
  :where(button, select, textarea, input:is([type="text"], [type="search"], [type="number"])) {
  padding: 0 8px;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--raised);
}
.clwork-look:not(a a) :where(select, input:is([type="text"], [type="search"], [type="number"])) {
  height: var(--control);
  min-width: 0;
}
.clwork-look :where(button) {
  cursor: pointer;
}
.clwork-look button:where(:not(:disabled, [aria-disabled="true"])):hover {
  background: var(--tint);
}
.clwork-look:not(a a) :where(button, select, input, textarea):disabled {
  opacity: 0.55;
  cursor: default;
}
.clwork-look:not(a a) :where(button, select, input, textarea, a, canvas, [tabindex]):focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.clwork-look [hidden] {
  display: none !important;
}
.clwork-look .unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.clwork-save {
  position: absolute;
  z-index: 3;
  display: flex;
  gap: 2px;
  padding: 2px;
  opacity: 0.85;
}
.clwork-save.clwork-save[hidden] {
  display: none;
}
.clwork-save.clwork-save button {
  padding: 0 4px;
  border-radius: 4px;
  font:
    400 12px / 16px system-ui,
    sans-serif;
}
`;var LEAST=120,SHARP=3,DRAWN=["fill","fill-opacity","stroke","stroke-width","stroke-dasharray","stroke-opacity","opacity","font","text-anchor","dominant-baseline","paint-order","display","visibility"],sizeOf=node=>node.getBoundingClientRect(),ground=node=>getComputedStyle(node.closest("[data-theme]")).backgroundColor;function svgOf(figure){let copy3=figure.cloneNode(!0),parts=[copy3,...copy3.querySelectorAll("*")];[figure,...figure.querySelectorAll("*")].forEach((part,k)=>{let style=getComputedStyle(part);for(let name of DRAWN)parts[k].style.setProperty(name,style.getPropertyValue(name))});let{width:width2,height}=sizeOf(figure);for(let[name,value2]of Object.entries({width:width2,height}))copy3.setAttribute(name,value2);return copy3.style.background=ground(figure),new XMLSerializer().serializeToString(copy3)}var addressOf=svg=>`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;async function pngOf(figure){let{width:width2,height}=sizeOf(figure),canvas=element("canvas",{width:SHARP*width2,height:SHARP*height}),pen=canvas.getContext("2d");pen.fillStyle=ground(figure),pen.fillRect(0,0,canvas.width,canvas.height);let image=figure.localName==="canvas"?figure:element("img",{src:addressOf(svgOf(figure))});return await image.decode?.(),pen.drawImage(image,0,0,canvas.width,canvas.height),canvas.toDataURL()}function csvOf(table){let textOf=cell=>cell.innerText.trim(),texts=table.texts?.()??Array.from(table.rows,row=>Array.from(row.cells,textOf)),plain=text=>/^[=+@\t\r-]/.test(text)&&Number.isNaN(Number(text))?`'${text}`:text,quoted=text=>/[",\n]/.test(text)?`"${text.replaceAll('"','""')}"`:text,lines=texts.map(row=>row.map(text=>quoted(plain(text))).join(","));return`data:text/csv;charset=utf-8,%EF%BB%BF${encodeURIComponent(`${lines.join(`\r
`)}\r
`)}`}var KINDS={png:pngOf,svg:figure=>addressOf(svgOf(figure)),csv:csvOf},kindsOf={canvas:["png"],svg:["png","svg"],table:["csv"]};function offerSaving(root){let box=element("div",{class:"clwork-save",hidden:!0}),save=async(node,kind)=>element("a",{href:await KINDS[kind](node),download:`clwork.${kind}`}).click(),show=({target})=>{if(box.contains(target))return;let node=target.closest("table, canvas, svg:not([aria-hidden])");if(box.hidden=!node||sizeOf(node).width<LEAST,box.hidden)return;box.replaceChildren(...kindsOf[node.localName].map(kind=>element("button",{type:"button",text:kind.toUpperCase(),"aria-label":`save as ${kind.toUpperCase()}`,onclick:()=>save(node,kind)})));let page=sizeOf(root),visible=sizeOf(node.closest(".scroll")??node);box.style.right=`${page.right-visible.right}px`,box.style.bottom=`${page.bottom-visible.bottom}px`};root.addEventListener("pointerover",show),root.addEventListener("focusin",show),root.addEventListener("pointerleave",()=>{box.hidden=!0}),root.append(box)}var SYSTEM=globalThis.matchMedia?.("(prefers-color-scheme: dark)"),WATCHED=["data-jp-theme-light","data-jp-theme-name","class","data-vscode-theme-kind","theme"],LATER=400;function isDark(colour2){let hex2=/^#([0-9a-f]{6})/i.exec(colour2)?.[1],parts=hex2?hex2.match(/../g).map(two=>parseInt(two,16)):(colour2.match(/[\d.]+/g)??[]).map(Number);return parts.length<3?null:.3*parts[0]+.59*parts[1]+.11*parts[2]<128}function ofVsCode(body){let kind=`${body.className} ${body.dataset.vscodeThemeKind??""}`;return/\bvscode-(high-contrast-light|light)\b/.test(kind)?!1:/\bvscode-(high-contrast|dark)\b/.test(kind)?!0:isDark(getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim())}function ofColab(root){let said2=root.getAttribute("theme")??(globalThis.google?.colab?"light":null);return said2===null?null:said2==="dark"}function said(){let lab2=document.body.dataset.jpThemeLight;return lab2!==void 0?lab2==="false":ofVsCode(document.body)??ofColab(document.documentElement)}function onPage(act2){let watch=new MutationObserver(act2);for(let part of[document.documentElement,document.body])watch.observe(part,{attributes:!0,attributeFilter:WATCHED});return()=>watch.disconnect()}function followTheme(root,show){let parentTheme=null,last="",timer=0,update=again=>{let dark=said()??parentTheme??!!SYSTEM?.matches,theme=dark?"dark":"light",now=`${theme} ${document.body.dataset.jpThemeName??""}`;now===last&&again!==!0||(last=now,document.documentElement.dataset.clworkTheme=theme,root.dataset.theme=theme,show(dark),clearTimeout(timer),again!==!0&&(timer=setTimeout(()=>update(!0),LATER)))},onMessage=event=>{event.source===window.parent&&typeof event.data?.clworkDark=="boolean"&&(parentTheme=event.data.clworkDark,update())},forget=onPage(update);return SYSTEM?.addEventListener("change",update),window.addEventListener("message",onMessage),window.parent!==window&&window.parent.postMessage("clwork: light or dark?","*"),update(),()=>{clearTimeout(timer),forget(),SYSTEM?.removeEventListener("change",update),window.removeEventListener("message",onMessage)}}function mount(el,css,page){let style=element("style",{text:look_default+css});el.append(style,page.root),offerSaving(page.root);let forget=followTheme(page.root,dark=>page.paint(dark));return page.root.page=page,()=>{forget(),page.close?.(),page.root.remove(),style.remove()}}var EVERY=1e3;function withPart(fragment,name,text){let parts=new URLSearchParams(fragment.slice(1));return parts.set(name,text),`#${parts}`}function followAddress(root,name,take){let framed=window.parent!==window,style=root.appendChild(element("style")),given,saved,next,timer,use=fragment=>{if(fragment===given)return;given=fragment;let parts=new URLSearchParams(fragment.slice(1)),hidden=(parts.get("hide")??"").split(",").filter(one2=>/^[\w-]+$/.test(one2));style.textContent=hidden.map(one2=>`[data-name="${one2}"], .${one2}, .clwork-${one2} { display: none !important; }`).join(`
`),parts.has(name)&&take(parts.get(name))},save=()=>{timer=0;let first=saved===void 0;next!==saved&&(saved=next,!first&&(framed?window.parent.postMessage({clworkSettings:[name,next]},"*"):history.replaceState(null,"",withPart(location.hash,name,next))))};return framed?(window.addEventListener("message",({source,data})=>source===window.parent&&typeof data?.clworkAddress=="string"&&use(data.clworkAddress)),window.parent.postMessage("clwork: which address?","*")):use(location.hash),text=>{next=text,timer||(timer=setTimeout(save,saved===void 0?0:EVERY))}}function view(packed){if(packed instanceof DataView)return packed;let bytes=Uint8Array.from(atob(packed),letter=>letter.charCodeAt(0));return new DataView(bytes.buffer)}function floats32(packed){let data=view(packed);return Float32Array.from({length:data.byteLength/4},(_,i)=>data.getFloat32(4*i,!0))}var STEPS=32767;function floats(packed,scale){let data=view(packed);return Float32Array.from({length:data.byteLength/2},(_,i)=>data.getInt16(2*i,!0)*scale)}function whole(packed){let data=view(packed);return Uint16Array.from({length:data.byteLength/2},(_,i)=>data.getUint16(2*i,!0))}var PERIODS={lively:250,hidden:1e3,idle:1e3,asleep:5e3},RETRY=2e3,LONGEST_RETRY=3e4,SILENT=4e3,UNANSWERED=5e3;function withBuffers(value2,buffers){return value2===null||typeof value2!="object"||ArrayBuffer.isView(value2)?value2:Array.isArray(value2)?value2.map(part=>withBuffers(part,buffers)):Number.isInteger(value2.buffer)&&Object.keys(value2).length===1?buffers[value2.buffer]:Object.fromEntries(Object.entries(value2).map(([name,part])=>[name,withBuffers(part,buffers)]))}var Channel=class{constructor(model,hooks){Object.assign(this,{model,hooks,asked:0,answered:0,wait:RETRY,state:"answers",waiting:new Map}),this.page=Math.random().toString(36).slice(2,10).padEnd(4,"0"),this.lastMessage=Date.now(),this.onMessage=(content,buffers)=>this.receive(content,buffers??[]),this.onLive=()=>this.checkState(),this.kernelModel=null,model.widget_manager?.get_model?.(model.get("own_id"))?.then(kernelModel=>{this.closed||(this.kernelModel=kernelModel,kernelModel.on?.("comm_live_update",this.onLive),this.checkState())},()=>{}),this.onShown=()=>document.hidden||this.ask(),model.on("msg:custom",this.onMessage),document.addEventListener("visibilitychange",this.onShown),this.ask()}ask(command=null){clearTimeout(this.timer),this.asked+=1;let message={request:this.asked,page:this.page,known:this.hooks.known()};command&&(message.do=command);let done=command?new Promise(resolve=>this.waiting.set(this.asked,{resolve,name:command.name})):null;return this.sent??=Date.now(),this.gone?this.settle(this.asked,!1):this.model.send(message),this.plan(this.wait),done}command(name,more={}){return this.ask({...more,name})}get gone(){return this.kernelModel?.comm_live===!1}plan(after){clearTimeout(this.timer),this.timer=setTimeout(()=>this.tick(),after)}tick(){this.checkState(),!this.gone&&(this.answered<this.asked&&(this.wait=Math.min(LONGEST_RETRY,2*this.wait)),this.ask())}receive(content,buffers){if(this.closed||!content||typeof content.news!="object")return;let pushed=content.answer===null;if(!pushed&&content.page!==this.page)return;this.lastMessage=Date.now();let news=withBuffers(content.news,buffers);if(this.hooks.take(news),!pushed){this.answered=Math.max(this.answered,content.answer),this.wait=RETRY,content.refused&&this.hooks.refused(content.refused,this.waiting.get(content.answer)?.name??""),this.settle(content.answer,!content.refused),this.sent=this.answered===this.asked?null:Date.now();let pace=this.hooks.lively()?["lively","hidden"]:["idle","asleep"];this.sent||this.plan(PERIODS[pace[Number(document.hidden)]])}this.checkState()}settle(number4,done){this.waiting.get(number4)?.resolve(done),this.waiting.delete(number4)}checkState(){let silent2=this.sent&&Date.now()-Math.max(this.lastMessage,this.sent)>SILENT,unanswered2=this.sent&&Date.now()-this.sent>UNANSWERED,state="answers";this.gone?state="gone":silent2?state="silent":unanswered2&&(state="unanswered"),clearTimeout(this.watch),this.sent&&state!=="gone"&&(this.watch=setTimeout(()=>this.checkState(),1e3)),state!==this.state&&(this.state=state,this.hooks.standing?.(state,state==="unanswered"?this.sent:this.lastMessage))}close(){this.closed=!0,clearTimeout(this.timer),clearTimeout(this.watch),this.model.off("msg:custom",this.onMessage),this.kernelModel?.off?.("comm_live_update",this.onLive),document.removeEventListener("visibilitychange",this.onShown)}};var AFTER=300,LEAVE=150,GAP=8,count=0,Tooltip=class{constructor(root,name,width2){Object.assign(this,{root,width:width2}),this.box=element("div",{class:name,role:"tooltip",id:`clwork-tooltip-${++count}`,hidden:!0}),this.box.addEventListener("pointerenter",()=>clearTimeout(this.timer)),this.box.addEventListener("pointerleave",()=>this.hide()),root.append(this.box),root.addEventListener("keydown",event=>{event.key!=="Escape"||this.box.hidden||(this.hide(),consume(event),event.stopImmediatePropagation())})}on(part,text,side="above"){let later=(after,act2)=>{clearTimeout(this.timer),this.timer=setTimeout(act2,after)},show=()=>part.isConnected&&this.show(part,text(),side);part.addEventListener("pointerenter",event=>event.pointerType!=="touch"&&later(AFTER,show)),part.addEventListener("pointerleave",()=>later(LEAVE,()=>this.hide())),part.addEventListener("focusin",event=>event.target.matches(":focus-visible")&&later(0,show));for(let kind of["focusout","pointerdown"])part.addEventListener(kind,()=>this.hide())}show(part,text,side){if(!text)return this.hide();let{box,root}=this;write(box,text),box.hidden=!1;let[around,at]=[root.getBoundingClientRect(),part.getBoundingClientRect()];box.style.maxWidth=`${Math.min(this.width,around.width-2*GAP)}px`;let{width:width2,height}=box.getBoundingClientRect(),above=at.top-around.top-height-GAP,below=at.bottom-around.top+GAP,x=at.left-around.left,y=below;above>=0&&(side==="above"||side==="below"&&below+height>=around.height)&&(y=above);let left=Math.max(GAP,Math.min(x,around.width-width2-GAP));box.style.transform=`translate(${Math.round(left)}px,${Math.round(y)}px)`,this.part?.removeAttribute("aria-describedby"),this.part=part.matches("input,button,select")?part:part.querySelector("input,button,select")??part,this.part.setAttribute("aria-describedby",box.id)}hide(){clearTimeout(this.timer),this.box.hidden=!0}};function formatDecimal_default(x){return Math.abs(x=Math.round(x))>=1e21?x.toLocaleString("en").replace(/,/g,""):x.toString(10)}function formatDecimalParts(x,p){if((i=(x=p?x.toExponential(p-1):x.toExponential()).indexOf("e"))<0)return null;var i,coefficient=x.slice(0,i);return[coefficient.length>1?coefficient[0]+coefficient.slice(2):coefficient,+x.slice(i+1)]}function exponent_default(x){return x=formatDecimalParts(Math.abs(x)),x?x[1]:NaN}function formatGroup_default(grouping,thousands){return function(value2,width2){for(var i=value2.length,t=[],j=0,g=grouping[0],length=0;i>0&&g>0&&(length+g+1>width2&&(g=Math.max(1,width2-length)),t.push(value2.substring(i-=g,i+g)),!((length+=g+1)>width2));)g=grouping[j=(j+1)%grouping.length];return t.reverse().join(thousands)}}function formatNumerals_default(numerals){return function(value2){return value2.replace(/[0-9]/g,function(i){return numerals[+i]})}}var re=/^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(\.\d+)?(~)?([a-z%])?$/i;function formatSpecifier(specifier){if(!(match=re.exec(specifier)))throw new Error("invalid format: "+specifier);var match;return new FormatSpecifier({fill:match[1],align:match[2],sign:match[3],symbol:match[4],zero:match[5],width:match[6],comma:match[7],precision:match[8]&&match[8].slice(1),trim:match[9],type:match[10]})}formatSpecifier.prototype=FormatSpecifier.prototype;function FormatSpecifier(specifier){this.fill=specifier.fill===void 0?" ":specifier.fill+"",this.align=specifier.align===void 0?">":specifier.align+"",this.sign=specifier.sign===void 0?"-":specifier.sign+"",this.symbol=specifier.symbol===void 0?"":specifier.symbol+"",this.zero=!!specifier.zero,this.width=specifier.width===void 0?void 0:+specifier.width,this.comma=!!specifier.comma,this.precision=specifier.precision===void 0?void 0:+specifier.precision,this.trim=!!specifier.trim,this.type=specifier.type===void 0?"":specifier.type+""}FormatSpecifier.prototype.toString=function(){return this.fill+this.align+this.sign+this.symbol+(this.zero?"0":"")+(this.width===void 0?"":Math.max(1,this.width|0))+(this.comma?",":"")+(this.precision===void 0?"":"."+Math.max(0,this.precision|0))+(this.trim?"~":"")+this.type};function formatTrim_default(s){out:for(var n=s.length,i=1,i0=-1,i1;i<n;++i)switch(s[i]){case".":i0=i1=i;break;case"0":i0===0&&(i0=i),i1=i;break;default:if(!+s[i])break out;i0>0&&(i0=0);break}return i0>0?s.slice(0,i0)+s.slice(i1+1):s}var prefixExponent;function formatPrefixAuto_default(x,p){var d=formatDecimalParts(x,p);if(!d)return x+"";var coefficient=d[0],exponent=d[1],i=exponent-(prefixExponent=Math.max(-8,Math.min(8,Math.floor(exponent/3)))*3)+1,n=coefficient.length;return i===n?coefficient:i>n?coefficient+new Array(i-n+1).join("0"):i>0?coefficient.slice(0,i)+"."+coefficient.slice(i):"0."+new Array(1-i).join("0")+formatDecimalParts(x,Math.max(0,p+i-1))[0]}function formatRounded_default(x,p){var d=formatDecimalParts(x,p);if(!d)return x+"";var coefficient=d[0],exponent=d[1];return exponent<0?"0."+new Array(-exponent).join("0")+coefficient:coefficient.length>exponent+1?coefficient.slice(0,exponent+1)+"."+coefficient.slice(exponent+1):coefficient+new Array(exponent-coefficient.length+2).join("0")}var formatTypes_default={"%":(x,p)=>(x*100).toFixed(p),b:x=>Math.round(x).toString(2),c:x=>x+"",d:formatDecimal_default,e:(x,p)=>x.toExponential(p),f:(x,p)=>x.toFixed(p),g:(x,p)=>x.toPrecision(p),o:x=>Math.round(x).toString(8),p:(x,p)=>formatRounded_default(x*100,p),r:formatRounded_default,s:formatPrefixAuto_default,X:x=>Math.round(x).toString(16).toUpperCase(),x:x=>Math.round(x).toString(16)};function identity_default(x){return x}var map=Array.prototype.map,prefixes=["y","z","a","f","p","n","µ","m","","k","M","G","T","P","E","Z","Y"];function locale_default(locale2){var group=locale2.grouping===void 0||locale2.thousands===void 0?identity_default:formatGroup_default(map.call(locale2.grouping,Number),locale2.thousands+""),currencyPrefix=locale2.currency===void 0?"":locale2.currency[0]+"",currencySuffix=locale2.currency===void 0?"":locale2.currency[1]+"",decimal=locale2.decimal===void 0?".":locale2.decimal+"",numerals=locale2.numerals===void 0?identity_default:formatNumerals_default(map.call(locale2.numerals,String)),percent2=locale2.percent===void 0?"%":locale2.percent+"",minus=locale2.minus===void 0?"−":locale2.minus+"",nan=locale2.nan===void 0?"NaN":locale2.nan+"";function newFormat(specifier){specifier=formatSpecifier(specifier);var fill=specifier.fill,align=specifier.align,sign=specifier.sign,symbol=specifier.symbol,zero3=specifier.zero,width2=specifier.width,comma=specifier.comma,precision=specifier.precision,trim=specifier.trim,type=specifier.type;type==="n"?(comma=!0,type="g"):formatTypes_default[type]||(precision===void 0&&(precision=12),trim=!0,type="g"),(zero3||fill==="0"&&align==="=")&&(zero3=!0,fill="0",align="=");var prefix=symbol==="$"?currencyPrefix:symbol==="#"&&/[boxX]/.test(type)?"0"+type.toLowerCase():"",suffix=symbol==="$"?currencySuffix:/[%p]/.test(type)?percent2:"",formatType=formatTypes_default[type],maybeSuffix=/[defgprs%]/.test(type);precision=precision===void 0?6:/[gprs]/.test(type)?Math.max(1,Math.min(21,precision)):Math.max(0,Math.min(20,precision));function format2(value2){var valuePrefix=prefix,valueSuffix=suffix,i,n,c;if(type==="c")valueSuffix=formatType(value2)+valueSuffix,value2="";else{value2=+value2;var valueNegative=value2<0||1/value2<0;if(value2=isNaN(value2)?nan:formatType(Math.abs(value2),precision),trim&&(value2=formatTrim_default(value2)),valueNegative&&+value2==0&&sign!=="+"&&(valueNegative=!1),valuePrefix=(valueNegative?sign==="("?sign:minus:sign==="-"||sign==="("?"":sign)+valuePrefix,valueSuffix=(type==="s"?prefixes[8+prefixExponent/3]:"")+valueSuffix+(valueNegative&&sign==="("?")":""),maybeSuffix){for(i=-1,n=value2.length;++i<n;)if(c=value2.charCodeAt(i),48>c||c>57){valueSuffix=(c===46?decimal+value2.slice(i+1):value2.slice(i))+valueSuffix,value2=value2.slice(0,i);break}}}comma&&!zero3&&(value2=group(value2,1/0));var length=valuePrefix.length+value2.length+valueSuffix.length,padding=length<width2?new Array(width2-length+1).join(fill):"";switch(comma&&zero3&&(value2=group(padding+value2,padding.length?width2-valueSuffix.length:1/0),padding=""),align){case"<":value2=valuePrefix+value2+valueSuffix+padding;break;case"=":value2=valuePrefix+padding+value2+valueSuffix;break;case"^":value2=padding.slice(0,length=padding.length>>1)+valuePrefix+value2+valueSuffix+padding.slice(length);break;default:value2=padding+valuePrefix+value2+valueSuffix;break}return numerals(value2)}return format2.toString=function(){return specifier+""},format2}function formatPrefix2(specifier,value2){var f=newFormat((specifier=formatSpecifier(specifier),specifier.type="f",specifier)),e=Math.max(-8,Math.min(8,Math.floor(exponent_default(value2)/3)))*3,k=Math.pow(10,-e),prefix=prefixes[8+e/3];return function(value3){return f(k*value3)+prefix}}return{format:newFormat,formatPrefix:formatPrefix2}}var locale,format,formatPrefix;defaultLocale({thousands:",",grouping:[3],currency:["$",""]});function defaultLocale(definition){return locale=locale_default(definition),format=locale.format,formatPrefix=locale.formatPrefix,locale}function precisionFixed_default(step){return Math.max(0,-exponent_default(Math.abs(step)))}function precisionPrefix_default(step,value2){return Math.max(0,Math.max(-8,Math.min(8,Math.floor(exponent_default(value2)/3)))*3-exponent_default(Math.abs(step)))}function precisionRound_default(step,max2){return step=Math.abs(step),max2=Math.abs(max2)-step,Math.max(0,exponent_default(max2)-exponent_default(step))+1}var steps=value2=>Math.round(value2).toLocaleString("en"),cut=(text,length)=>text.length<=length?text:`${text.slice(0,length-1).trimEnd()}…`;function counted(count2,noun){return`${count2} ${noun}${Number(count2)===1?"":"s"}`}var percent=share=>`${(100*share).toFixed(share<.1?1:0)} %`;function measured(value2){if(value2==null||!Number.isFinite(value2))return"–";let digits=1;return Math.abs(value2)<10?digits=3:Math.abs(value2)<100&&(digits=2),value2.toFixed(digits).replace("-","−")}function short(value2,digits=3){return Math.abs(value2)>=1e5||value2&&Math.abs(value2)<1e-4?Number(value2.toPrecision(digits)).toExponential().replace("e+","e"):format(`.${digits}~g`)(value2).replace("−","-")}var OUTLINES={circle:"M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",square:"M-.88 -.88H.88V.88H-.88Z",diamond:"M0 -1.2L1.2 0L0 1.2L-1.2 0Z",cross:"M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z","triangle-up":"M0 -1.2L1.15 .8H-1.15Z",x:"M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",star:"M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z"},LIGHT=["#0072B2","#E69F00","#009E73","#D55E00","#CC79A7","#56B4E9","#6F4AB8","#7D5A2B","#3D4650","#8AA000","#B5123F"],DARK=["#4DA3FF","#FFB52E","#2BD4A0","#FF7A33","#F29AC8","#96D8FF","#AB8DF0","#C79C6A","#DFE4EA","#CFDC4D","#FF6B88"],SYMBOLS=["circle","square","diamond","cross","triangle-up","x","star"],DISTINCT=LIGHT.length;function colour(group,dark){return group<0?dark?"#6b7480":"#a4abb3":(dark?DARK:LIGHT)[group%DISTINCT]}var outline=group=>OUTLINES[group<0?"circle":SYMBOLS[group%SYMBOLS.length]];var marker=(group,dark,r=5)=>drawn("svg",{class:"marker",viewBox:"-8 -8 16 16","aria-hidden":"true"},drawn("path",{d:outline(group),transform:`scale(${r})`,fill:colour(group,dark)}));function markStep(node,step,dim=!1){step===null?node.removeAttribute("data-step"):attribute(node,"data-step",String(step)),node.toggleAttribute("data-elsewhere",dim)}var Reading=class{constructor(choose,whole2){this.choose=choose,this.sign=element("span",{class:"line-sign"}),this.group=element("span",{class:"line-group"}),this.text=element("span",{class:"line-text"}),this.line=element("div",{class:"line"},this.sign,this.group,this.text),this.lists=element("div",{class:whole2?"lists":"lists brief"}),this.root=element("div",{class:whole2?"clwork-reading whole":"clwork-reading"},this.line,this.lists),this.spoken=element("div",{class:"unseen","aria-live":"polite"}),this.root.append(this.spoken)}report(read,dark){let key=`${read.text} ${read.group} ${read.name} ${dark}`;this.said!==key&&(this.said=key,this.sign.replaceChildren(...read.group===void 0?[]:[marker(read.group,dark)]),write(this.group,read.name??""),write(this.text,read.text),this.line.title=read.text)}speak(text){write(this.spoken,text)}list(columns,dark,hint){let key=JSON.stringify([columns,dark,hint]);if(key===this.shown)return;this.shown=key;let held=this.lists.contains(document.activeElement)?document.activeElement.dataset.key:null,make=this.lists.classList.contains("brief")?this.briefly:this.column;this.lists.replaceChildren(columns.length?"":element("p",{class:"hint",text:hint}),...columns.map((column,number4)=>make.call(this,column,number4,dark))),held&&this.lists.querySelector(`[data-key="${held}"]`)?.focus()}column({title,ink,items},number4,dark){let entries=items.map((item,place)=>element("li",{},element("button",{class:"near",type:"button","data-key":`${number4}-${place}`,title:item.text,onclick:()=>this.choose(item.sentence)},marker(item.group,dark),element("span",{class:"near-text",text:item.text}),item.fresh?element("span",{class:"fresh",text:"new"}):""))),head=element("div",{class:"list-title",style:ink?`color: ${ink}`:null,text:title});return element("div",{class:"list"},head,element("ol",{},...entries))}briefly({title,name,when,step,ink,items}){let texts=items.slice(0,3).map(({text})=>text);return element("div",{class:`near-line ${when}`,"data-step":when==="now"?step:null,title:`${title}:
${texts.join(`
`)}`},element("span",{class:"near-when",style:ink?`color: ${ink}`:null,text:name}),...texts.map(text=>element("span",{class:"near-word",text})))}};var Dialog=class{constructor(buttons){this.buttons=buttons,this.title=element("h3",{class:"sheet-title"}),this.shut=element("button",{class:"sheet-shut",type:"button",text:"✕","aria-label":"close",onclick:()=>this.close()}),this.body=element("div",{class:"sheet-body"}),this.root=element("div",{class:"clwork-sheet",role:"dialog",hidden:!0},element("div",{class:"sheet-head"},this.title,this.shut),this.body)}get name(){return this.root.hidden?null:this.shown}toggle(name,title,part,focus){if(this.name===name)return this.close();this.shown=name,this.title.textContent=title,this.body.replaceChildren(part),this.root.hidden=!1,this.root.setAttribute("aria-label",title);for(let[other,button]of Object.entries(this.buttons))attribute(button,"aria-expanded",String(other===name));(focus??this.shut).focus({preventScroll:!0})}close(){if(this.root.hidden)return;let inside=this.root.contains(document.activeElement);this.root.hidden=!0;for(let button of Object.values(this.buttons))attribute(button,"aria-expanded","false");inside&&this.buttons[this.shown]?.focus({preventScroll:!0})}},Drawer=class{constructor(knobs,speed,main){this.knobs=knobs,this.main=main,this.search=element("input",{class:"clwork-search",type:"search",placeholder:"search settings …","aria-label":"search settings",oninput:()=>this.find()}),this.found=element("div",{class:"sheet-note",role:"status"}),this.list=element("div",{class:"drawer-knobs"},...knobs.map(({root})=>root)),this.line=element("textarea",{class:"clwork-settings-text",rows:3,spellcheck:"false",readonly:!0,"aria-label":"these settings as a call","data-lm-suppress-shortcuts":!0}),this.said=element("div",{class:"sheet-note",role:"status"});let copy3=element("button",{class:"clwork-copy small",type:"button",text:"Copy",title:"copy this call: in a cell it makes a panel with these settings",onclick:()=>this.copy()});this.root=element("div",{class:"clwork-drawer"},this.search,this.found,speed,this.list,element("h4",{text:"These settings as a call"}),this.line,element("div",{class:"sheet-row"},copy3),this.said),this.find()}find(){let words=this.search.value.trim(),count2=0;for(let knob of this.knobs)knob.root.hidden=!!words&&!knob.matches(words),count2+=!knob.root.hidden;let beside=words?this.main(words):[];write(this.found,(words?`${count2} of ${this.knobs.length} settings`:`${count2} more settings`)+(beside.length?`; next to the formula: ${beside.join(", ")}`:""))}show({line:line2=""}){line2!==this.line.value&&(this.line.value=line2)}async copy(){this.line.select();try{await navigator.clipboard.writeText(this.line.value)}catch{document.execCommand("copy")}write(this.said,"Copied.")}},LATER2=400,LONGEST=60;function chooser(label,name,act2){let box=element("select",{class:`clwork-${name}`,onchange:()=>act2(box.value)}),note=element("div",{class:"sheet-note"});return{root:element("div",{class:"sheet-part"},element("label",{class:"sheet-label"},element("span",{text:label}),box),note),box,show:(options,choice2,words,off)=>{offer(box,options.map(({value:value2,label:text})=>[value2,text]),choice2),box.disabled=off,write(note,words)}}}var Entry=class{constructor(name,{title,help,placeholder},send){let tag=name==="text"?"textarea":"input";this.box=element(tag,{class:`entry-${name}`,placeholder,"aria-label":title,title:help||title,rows:name==="text"?5:null,"data-lm-suppress-shortcuts":!0}),this.root=element("label",{class:"sheet-label entry"},element("span",{text:title}),this.box),this.sent="";let out=()=>{clearTimeout(this.timer),this.box.value!==this.sent&&(this.sent=this.box.value,send({[name]:this.sent}))};this.box.addEventListener("input",()=>{clearTimeout(this.timer),this.timer=setTimeout(out,LATER2)}),this.box.addEventListener("change",out)}show(value2,off){value2!=null&&document.activeElement!==this.box&&this.box.value!==value2&&(this.box.value=this.sent=value2),this.box.disabled=off}},SetUp=class{constructor(about,hooks){this.about=about,this.encoder=chooser("encoder","encoder",choice2=>hooks.act("encoder",{choice:choice2})),this.corpus=chooser("corpus","corpus",choice2=>hooks.act("corpus",{choice:choice2})),this.preset=chooser("settings","preset",choice2=>hooks.act("preset",{choice:choice2})),this.reset=element("button",{class:"clwork-reset small",type:"button",text:"Reset",title:"reset every setting to its default",onclick:()=>hooks.act("preset",{choice:"default"})}),this.preset.root.firstChild.append(this.reset);let inputs=about.inputs??{};this.entries={};for(let which of["encoder","corpus"])this.entries[which]=Object.fromEntries(Object.entries(inputs[which]??{}).map(([name,told2])=>{let entry=new Entry(name,told2,what=>hooks.act(which,what));return this[which].root.append(entry.root),[name,entry]}));this.credit=element("div",{class:"sheet-note credit"}),this.root=element("div",{class:"setup-sheet"},this.encoder.root,this.corpus.root,this.credit,this.preset.root)}show(settings){let{encoder={},corpus={},preset="",frozen}=settings,presets=this.about.presets??[];this.encoder.show(encoder.options??[],encoder.choice,encoder.note??"",frozen),this.corpus.show(corpus.options??[],corpus.choice,corpus.note??"",frozen),this.preset.show(presets,preset,presets.find(({value:value2})=>value2===preset)?.note??"",frozen),this.reset.disabled=frozen;for(let[which,state]of Object.entries({encoder,corpus}))for(let[name,entry]of Object.entries(this.entries[which]))entry.root.hidden=!(state.shown??[]).includes(name),entry.show(state[name],frozen);write(this.credit,corpus.credit??""),attribute(this.credit,"title",this.credit.textContent)}words({encoder={},corpus={},preset=""}){let called=({choice:choice2="",place="",options=[]})=>{if(choice2==="elsewhere")return place||"not named yet";let label=options.find(({value:value2})=>value2===choice2)?.label??choice2;return label.length>LONGEST?choice2:label.split(" (")[0]},presetWords={default:"","your own":"own settings"};return[called(corpus),called(encoder),presetWords[preset]??preset].filter(Boolean).join(" · ")}},Compare=class{constructor(page){this.page=page,this.note=element("div",{class:"sheet-note",role:"status",text:"Reading the runs …"}),this.alone=element("button",{class:"clwork-alone small",type:"button",text:"This run alone",onclick:()=>this.choose("")}),this.words=element("input",{class:"compare-search",type:"search",placeholder:"search runs …","aria-label":"search runs",oninput:()=>this.find()}),this.entries=element("ol",{class:"compare-list"}),this.root=element("div",{class:"compare-sheet clwork-drawer"},this.note,this.alone,this.words,this.entries),this.mark()}get other(){return this.page.records[1]?.id??""}ask(){this.page.act("list_runs")}async choose(id){await this.page.act("compare",{run:id})||write(this.note,this.page.said)}list({runs,working,refused}){working||(write(this.note,refused??(runs.length?"It gets a cloud, curves and a trail of its own, on the same steps.":"There is no other run yet.")),this.runs=runs??[],this.entries.replaceChildren(...this.runs.map(run=>this.entry(run))),this.find(),this.mark())}entry({id,name,differs,status,fork="",scores=[]}){let told2=scores.map(([title,value2])=>`${title} ${value2}`).join(" · "),about=[status,fork,told2].filter(Boolean).join(" · ");return element("li",{},element("button",{class:"other",type:"button","data-id":id,"aria-pressed":"false",title:`${name}
${differs}
${about}`,onclick:()=>this.choose(id===this.other?"":id)},element("span",{class:"other-differs",text:differs||name}),element("span",{class:"other-name",text:differs?name:""}),element("span",{class:"other-about",text:about})))}find(){let words=this.words.value.toLowerCase().split(/\s+/).filter(Boolean);this.entries.childNodes.forEach((entry,place)=>{let{name,differs,status,fork=""}=this.runs[place],text=`${name} ${differs} ${status} ${fork}`.toLowerCase();entry.hidden=!words.every(word=>text.includes(word))})}mark(){let{other}=this;this.alone.disabled=!other;for(let button of this.entries.querySelectorAll(".other"))attribute(button,"aria-pressed",String(button.dataset.id===other))}};function strengths({row,step,pairs}){let there=pairs.filter(pair=>pair.row>=0&&pair.row!==row),of=sign=>there.filter(({pull})=>sign*pull>0).map(pair=>[pair.row,Math.abs(pair.pull)]);return{row,step,pull:of(1),push:of(-1)}}var ForcesPanel=class{constructor(choose){this.choose=choose,this.when=element("div",{class:"sheet-note at-step"}),this.root=element("div",{class:"forces-sheet"})}report(text){this.root.replaceChildren(element("div",{class:"sheet-note",text}))}mark(step,shown,dim){markStep(this.root,step,dim),write(this.when,step===null||step===shown?"":`These are the forces at step ${steps(step)}; the picture shows step ${steps(shown)}.`)}show(forces){if(forces.refused)return this.report(forces.refused);if(!forces.pairs)return this.report("Computing the forces …");let{about="",loss,measure:measure2="",pairs}=forces,list=(title,found)=>found.length?[element("h4",{text:measure2?`${title} (${measure2} · gradient)`:title}),element("ol",{class:"forces-list"},...found.map(pair=>this.pair(pair)))]:[];this.root.replaceChildren(this.when,element("div",{class:"sheet-note",text:[about,Number.isFinite(loss)?`loss ${measured(loss)}`:""].filter(Boolean).join("; ")}),...list("pulls",pairs.filter(({pull})=>pull>0)),...list("pushes",pairs.filter(({pull})=>pull<0)),element("div",{class:"sheet-note",text:measure2?`${measure2} of the two, and the length of the part of this sentence's gradient that comes from the pair.`:""}))}pair({row,kind,text,score,pull}){let words=[element("span",{class:"force-text",text,title:text}),element("span",{class:"force-number",text:`${measured(score)} · ${measured(Math.abs(pull))}`})];return element("li",{class:pull>0?"pull":"push",title:kind},row>=0?element("button",{class:"force",type:"button",onclick:()=>this.choose(row)},...words):element("span",{class:"force"},...words))}};var math_default="data:font/woff2;base64,d09GMk9UVE8AAEB4AA0AAAAAZqAAAEAmAAEZmQAAAAAAAAAAAAAAAAAAAAAAAAAADYGIVho6G41AHIFUH4kOBmAAhiwBNgIkA4YMBAYFm3AHIBu5ZRXTbR4od6uqImIYHAXcGJc9LhahlRHJFicc/P85ORlDhh2YllU/QBATVBwEachTLmutc06sdXUNluBMbsNkG8aN7n5e0mFqH/uWjbsI0ohsKnEL1yY21Ug38Z4prS7CF6QECQKlCMY5iTcVLtp/6MIqaao1+iBMIy/Thxd7LL/T/AiNfZLk/kBz+3d3i2LNothuTY5RNUIQiZ5ElZ1YYKL0V8z8aPONyl+IFWgT/7H8b33OnfkxqWd3y68REST4GBzCZYfNHiUQMiowJuRJ7yZw/3n+Xr/RufuMMtxv9CYplcJfKKj8n4IpuQvxC0pBr3Ozbup/X1P/f9TxHmWWqfp9mCEmlwgCbJRtUUuytATdapJaxJYsI8t0bYf5MZzc6vwhPdu6LMMLjFEi9v3/35z/z5iZr/PHL1S4VUfUCoGiWoJECIQE21HwBIJ41eyq7OnaefkPGuBH+7X7qZ0oOjNv1vAV8GZZxOMlSiZColoPFJzVXcRzSgYedEf369J8fd216BrzdyJgEnQs2RCaADheZ36V4imaba0A0iLZXiCZUMRPaEzmM3ALh0VJuiuA/7+fK+37yV7v5zC7pZSzxcirsDi+tsr8zfIvZct4CLt7riQMkQT0dYewlyPOljDXsnBVorJO11lGoVULMrcqfDMUQkuCobFZqBqcUb/+0jlu79IxprtfrW1as0q+e6kAHrFYBDwWCzxfy5rtd2lmyA3Z3RRqq+6yUHBCoSyqt2enan/3DSE3ZHdNHvIQksKjEA4hkUytWlAhK5AUQmIFpr/sxf5ptDT8S2M5QINoCFmN1xr5WdbDew2wiAfutcLTxEsHNIQFYBYdIm6Bvbva6SNHmuGWMS1Bbw6KFANGTBEX0tObP6Z5/5H2yvVnS0+t9ayIESNGRLyvFoQAAQUEQRgF75ShTj6X809Vhz/n+vJpvszvl/nzRURIO8F+ZSc7O0bvjkYiyvaaz5t3YfFcGek8B2oLCFCABQJyGg7MfFhEiJUiU4FydcaaYraFllmjxwbb7NHnmFMuuOaOR/4x6K3PfgRFKAgT4UcSZXRxjDneCUxYRiQh6SlIZUZlWhZlRdZmd47mAnILeYIMIh+RXygF5VZWXU31bVhjm9r8VnZ0p3Z+l7Wjm7q/R3sRfYAOoJ/Q30PHRMCqmzBr1Y5dl94MZ/F0zKbZP8edd6WsTh/sGkW6G8AQBgOQ2CAGb4hsisiK7IANYiuYssEPKw8LZHlvZeFiwtVHWDKoTWVmZhqGuNTKWy8KW+AIsmSqDEIpDTEYQbFTFU8kaUlLDIMVZ3YpOytHYBisLoWb53otAf0Sl8/0e652MhOvPzvDO2uJBxZF8I7HfbiU3MV//16qMeayBsfCeCNXz1hmhafS4iIYIiRkFCxWS4NIYAgAhYGFg0dAHONERGyVJd1iTErh4hAqTNZiiApDCQ4HKBgACqalcnUoVaZQle8NT5D6E0h3B4P3EszGjyMkOp83t+7/bIPx/1DCxliT0o22a+VnxNpyNkpIqtZU1m7qXwaTCkwe3p9a9zbNyOqX/J1uXbV21UZ6UFNHCeOPLSeYWf0H4E/syvgdJKGVQqqVtQnxQ8iyxL9Je0oXm2orn1f08or/G0VpDsrhXxwqoCIYTAqApqQWiNRCdtU7uIfMPYAaSDN4g7QM9CIr9pEjcJXqOPnm+f4CAgTwhBJTtx28Lgz/RJOUrK2kYd073HGftQuBIF5GL0PE/PUESb83bR8hl+637t+lpB60HvykZhwePlIcdRwz6CuObzCCTppPpadbz0Rn6Wfjzlad7T2POd92gbLfZ5/miDgPuZHcpdwh3jjedn4y/4gtyfY92+sCZ8EmwQdhlHC9yEN0VOwtHi2+JL4vMUs8JLGSI9Ii6TlZjGyLXCAvlW9WiBVahZ9igmKNndAuy26V3R92fyrFypHKcco25V7lCZVUtQt3wTeoqzTOmkWa19pibb/OQ7de91UfqD9tsDPsMnKMVcZn9mscNA6dDt8dZzm+cCIeO/4/ETHxMcmY3OQPieibrtNn9niJX/mT+/gqD0ikfMkHjNHDBu4xRC/24yRuYQCfBXWX6uWq969u1VdVf796gcf/a4yt8UqNizUKPf9Zs3zNlbVcrX61NtTaV+ti7V/X/lfthXV8nWF1nq1zqk7wzahbou6qehn1JtXj9zsZ7MFf9FAqQc0F0RBrSHnmPOxA91PWcOReoTo1xhhj4AkGwJztM9iz83uDQkvSVpKNcUbroJXESfVLx3LodvkU4oYYQ2AV+NHpnGcxG7X6PVvR2sBsZWsD1srW79EqjJ/YHaVK7+2a2MIGnS1sMF/LSrX6gDUU10ANy5AhuSFg76FSqgSMerATVr1B8xu3MPqEBm/0VatK3H5JajQelvufLBYqlp10F7tjbw2BaFxh+I/AMRexFo80BeRVgYpCejxOLw6j9yeMRRC8voEFlszyM5TpXYlcs0Y3kJCDnLdAO3rqKKkszMwoERSp1eLjA6vu3td4iM+nhMyIKqAs3coNdyVEFTTa0/0tbU8RSGjT+rug4JmLWA25Ks1UcbzmZwE02f7lgzD36fuRS7iG3zx+hYhGLAv/n1qi+tFW7uDPjdp53MHyuziMTV97r1wiUDgTzLsvNQfmck1s0bHH07VNnMT4txjFzD5mldc90S/2gpK/BLm+rED36hqruIRNrwf3Iw9NLBX5tC1ZgJoGopVf0i44f4JfVGa3K8OJOSxh0TrN92tZU0+n4M7B4jxmcfOF5ipYiIhnuP0CcxGr4Kc3XcSEbjG6lCTYJNtiMP0OAJif87zpSDONzcQLmj9sRByg6i5OXht2jgOowCKE0xx09vncIZ/C/xLO7pspTpWzK5jEiee2BIIOReFz9aIhKoAKmSsV35cvOd+FpjEzcHq+uolfYsk5fGQwcS01G6m3CwffMatRVpClUIS2902MLUqKcR7bN64N8CvuBwJ7LDVUXm5MbuVfg5NYKQ1N10eTK9gmtH3kJVEzM6EqrH752L8cQACAtwmB9kb9Jt9/8EDar+h47kp+9Wfjz5p8r7+WEkvUaidKNOnXqbnDdxOxNRBWWJSeDHwXVl9NAlwUXu5bJtYR4ZdzjQFcoudBJ5YQVjt6uROEZYp/8PTzfGoKOEIrXwQxYiYy9t/+g122yFSIPJIdzR87mz+Nm3T9yNApy91DHz5Fb6ZWPS2p5jFNYRnMxKWUs/+0wK3M2PosMZcr0l0oWHcrf+fK9QujDDEk29tj53PmC7ML5UkA0asuIimZ+W4IWadg1pgY/9z0JqEYOQ4W8BS+als/NX157TekZ8J5Yz1dSmSLehX04dh/mP5Z7CsHN/S2/WmDFvEpMwW/CYb0eGTKxiebnQx/QqD54fQoRPnJRBdDyim1r7ahHjPWx9Kktz7Foz+cEKN0HElYbWP/wPVXRAQQhG67y2sTWr6vAfV8Ky5Xc4L9i4z1jt0UffFOPxxIy/lMIRsfwxj9bf6KgjNpS96OV62GE7vJHing3SU/3yHU47+C2gt3GJYFR7vG6xWuKCTHNaCCdX1sjIx3KQnLGIf0z1P+a8vW7J3Oq3MckTZzf3jj87oaK2ENmd6qpKYLle4pCBL5bc/yO2+K3/Av9QlIsUcgCBOF9Mz6gnQVGGoYfBqZcLBbWDw4uV4QDE5P0Tg42ZhRSGlruzwDLTR0Tcpr+XABB7Fxb/hQYrJ2GhZjSWPNd9F0Oe5eyU+A0eynybVbxJC+5qu91vNPW/Xm7SQQYfZ0NO5pffluld+aTuc3R3+0OvNzMLr9UXYgbCV43WUn2Zrg7uG4y6IMW34LW13ryVsJtRFsAxEHeASmz+ZT3nYQctW3N/id3eJzBGgFlzF/W1WkNqGA86284VWezYGDvAejVz9F4zh5+CaVh0J2AgRyQG20sytctjBhhBQb7zaO0CR4mTrpNXRwT9r0bvSTfbiAl6PxoVahXtwuLF3cF9aoZ5lZJ3mmVXsxAJb1G2yqSy5dpfUtXkZlFC8TVgCX95Dqls/QOE4avknt2S47BQLhqIp2mOSKhYkitLFhq3GUwu1JTsNn5bLRO15oVRf2ELlKcTx/kVyLIgGxmfBL/idLSxOTzcIZrGCxY7hc5eJiYYbGwcVKRiClre90NAzQHTIijFGVF7AXrvujU2Mz+UNAqC0tea3E0O2g3xfdaLrZdKnQnCLMFLilq2sijgublLLxPmbHwHMkRgo8M/SLEtloS17LU23Ugd1ECexHgsDzuHZBoZJnWt2OPWQPFNhoV3k1gM3SaeN8jW4CLxBmo59Jp2mzQ075CNbGyykb72qQG3iJxCiBpzH9dphsdDiv5V2r7uoiKGp9r+pU+57Xdjw+x+WUdufteKXRPfhfsmdKqlbfH6+DqylHwV7ujimASqkorr8ibfx95msmzxJB8EzTbkjuoZKrJwEhefonAk3GMsQi3N27nVJPi2SjlXktk53crk7ZgXZIB7g1Biic3oaZDp5F9FvuwrblL1q1bkH9PW5UnG+DbTrxM9sKXiHAmG0P/PZvHV64Xo6CAKc35PxQ2YkdHOsWBxGiVZy80FVdq5pZMM+CEMj5yW56kb9fKPBMj96sD2xv+3Ot0oOLZA8V8O6V93ehXtwmDHfFH1PreT8TSfgHRpifGInzAe8MobpkPicEpumdkn/dGoVLgKchwnjlae2DmdwmeRIZ6kHEsST5cxXY0nDFHqQ42GKX7z441qlOphqmqTzamvQlOgwrzGKZgAYSQRjDQDOSU2DY6jmITprXrTijLuL65An8w75G5MQYqFkH3F/t4IWaTSWimhEaDlN214fhsWI6hdAzlSMpoh1zWAgxlbAiGVLYIT+TSIscQYxBKxOSKrU0WcENpGPV/pmV8h8Do9sPxV9NzI1MzWeXQSdgtGuQXU0bOAAieSaZYNY91qo2X0GweaO7aY8btix3MzYOymsYIdMdcX8Rf2l6T1lbHKqnp7CE+a6xWpkZHizsguDn1zdtVipM9mWOiWZHx0VoZh2YASXYlCcpgcN0mCfS4vVjfn+8vHLcmJy4cLZxHYzusYAyyJjEOCopYmkmrC17zoYPL48oVyvpUDJ3dyOy+qDJBA9xpWLxsaU5klJmhZvGBCaqtdniUt1d+CV+Ufzp6MzQ1FKxoVHj3UAO7s2vhpSNzzRqEjcElIlmh5z1F9dwD5PWuVop0xjK74dAa/N2PNPKVEDQ0PWOpkdgwxAvk0r/0AC0fqpn03nGUV+4r3uGIgOM/UXmvzhBalu6rG9IldY+n8DSxbJQoFIsG4lUm9TudWEAa9iUIc8qSjnshs+zGCEWWZv+cdp20ZnMRjGlqQoqGH9vYxhhBYStSJiNl8ITZukm5EYHdMOiQaIv5aJ98pHWOBjFPl4CI9jT99bmX19wzXccT6M5MrqJDczvbTA0vF0T9TSxbvHfMFUFDExOmWAGbgFuBNHtw39u8lfts6KvIfam//bAAZOrUblGbP6iRUrY1pmNUO/RlO5NJ8ZUabQV24nWdNzNm7M3Xy8l1UlMIJvgyvmR7hSuEl4QeKLp1yODMuYLrWbHM0Tn2j+/GNjMHmusKC7AT3G6MD47taAs41eESwV+UPO3ZZNMDORqd7CtFsQXsATJxgLpEyIdMejK7qjziCMdVWpBmtEjZbb3Lny6sw0TewnnJntWg9WH0272cS4+GiCGzwu8gSEtwDOdqV4I0NySvUHE5f9UB3AjP1cOGjKl6HyA9sDzWi516kL932jG529oOzWB4TQ2bxz6qimqLMDca3CmM32svn+d/PMp9isa7i3AnIOfO0viz8jwAeHewr3D1mUVhqBv/aImL6kuqk9O2fgks6EXVgRKRi/UGOZuPC8ktkdwmKbV+Y6YgOMgDnKgBESgsttNh6TnZcNYQS4plgM0q0PKPO64utuajO2XpPJ/f69ME0c6r2Vy1dLBhInBijWaCqZgxMtD04R0GC+Syu1OSTRgw+wM6z6o6sAOLmbJFEF1y892Gq5AK3yv1UGItKynDnWuySokEUXcUGobncDAbK7jyY5s+09J6lHIZIuCHKyzqY+6Nzil283GehWvEmAyDBjrLr7PZdZFYj3iIMK0hmuICfm9imSWgySAltj9sPDJVj/otjYzaBtwvRekRKGYz49o50BYbv+LTD7ZuPunjYt8bTlKk05uaSmuv/Nl/ntn2TusD1huTZolhaeicmheHb+eYsnQ3/n9Ax3f0P83SamKVOLrq7dPUklIxGE1IwPSDKLIBPkRmBp7oeZex8gtxH7vKFMGHSugofH+N3mWJHDNmzlWkSvFeBIMsjberKh2HUWqHDMyj6azKQtG3SEkaXouOzpVP/RiPJEnYo98g9Uht6pRwCWMTxQ3YQJz0aUN0nGmpKw+hAMoqtVhIpfTjlDudg7qIGvSPDoKYPO4hH41n88WcmOZzSwxF3SKA7RVz2UpxPZ6D5SpsYsz6cRABHSo2/Uub2+RorclN1B04x3KgP3wj/OcomBxr7YMsf87fHxoybIXal0ZtlCJzWMW871pmVX5OikgJGfc/zTfAp8BOEyaFliWEwirI14i+daJn2/weyFqV78is5TrLk9aWaSp0VRu5cmZU3w6rHXmawsMO4KnQbYHVyFmRzAcGyhX8+lKbZOYizjl9b44L+u8Cg+ooOW2aR7i+RlBLk1WCSa7QM536yTIoH09js94MkneTkHLA4hciYjEyd+zAbGsizCcHpghCA/3uDYkKGjcdqejs03yG4DNiS+RBeJ7jy8vz37wVnP05Qhv3epbbIzhBkpJfqg82xnxXCY8E7Wdd9Tay/UpJj8NIG7db0hFRf46pGX9CmfXRhji6S4cte/JyOgKTiLzrXZ2hUDZeH/XT8lruiTgZ/ce74ICV61ucTU0abhEeAnMZ4kJilwZrg5bshB1JA/GBT1MgCaGk7nBj4uzfAQsHRYZkWmW/efI+TtTHkR6wKulDkhIj4C0m6rsFUQRB+H7OB5GRLF4qrjHcVzi1jhXRx2q5o+3k3+yWMMSFq9k/hLO43J+cXSslqpjFJsfjPeHgGwXOSQaZBnjSNcbJZlsHdxwR8wvoYEho5YfLMWHsIiKJ9dTA5rSoe/KTGPa0g/FrjibqmgMcpRQXmGmc9/8aMGtiVpjvXOJVC1u9nULxhVjdHZAuOaeA33ZZfuKZi7ihJSFT+xtyzhDmCF/5X/s6hQD2WMbswD414wQV6hSWokuqGxBK2fQiQiDjnS7PuHtFQKB7vBVFyiwcnUs1hzoOEM4Sw4fryZGQacmv36SpnSBIIf3ahsUPKO7GB4zdEaa4w4pCs89qJbj1bFshb/wf4Za+FBTU8NFAvwwc4Hp0hpsbthkQAFNdls/oGmMgLdD/ZQXkLFOpybH68dPodpq4GJqiu6cCSAXr+GshhhU0HhP1ye0nSXg3Vdt191Bj8sBQRDpypg5R7EBNQ2WWn9JWUbsi6cMJwgtvJqZhnoytwjkBOvOxzhkgbSzfxtkodzxsQOdmhe9CJ29PS6QnEwTvWfquVyV2Jy1QlnLiQM6JaAKu3t634fR5uS+3uM2mNz2Oh2VoycxbBBgNOyZ7rqbQy54SK122yz1ik2FyuUpgw83+lE0CcR/ZoS5ZFkpGBl4Jqs+WsHOXuv7tL1MIKHHmupQ9DhjaLwmBcuRIFWmd6M4RZgjSOt/3c0pFpaPLMybnxSVFsAg6xx/Gjoe72gxcCn1NT/VDTJ+wCAHNNBUT9d7NC0QiO1xkldBgfWrY0l6ouIE4SYBvRSJyOn8XGoIdGTs06doKhGIsrdf61vQKInTkRieSL1E5o5UkzPLwqWRvbshPzHW6b/uXgdTxqUuSLaaPA2XK6yTX7Ka3k4S2GhdmoPO59i4rQ3IauoyaMaZLivMMcfY7Xe6UCJJMToxHEm9QY4fy+t1F05NHHgCMoRQm76yrFPBDVY9YIKiouIXYlKavYrsaHdxCdpAeub3oazMtZWOROkW2B8vgHpSrZWW5efhGn47s34GEyi359laLjmC0RFcdAvZqo1Pqi27KU+IPboIFGF3l+MDKNVFst1/xQ0ynL2uxUfnarhF6Cp7i3PBOAjpZ5EALdiPfVrmHA/pY+kUpP9v7uLg9MW5h00q0Y4+g+uJ55/cYnqSJrJKh/gkc6BhnMTBSS2JJZRkmpXzAGKXJ4wacr9f973zZWgWJ2eJ4gXiO8lQB2T8J3ypUON1XK3W9qpXRw6ioierFfUEnCGkffTwzmb/vmfjjHrgHrK11SmjM2eIgwYloEsne6wf07RoXarQej5gYeYnV7DBMnCVcJTsPDxftkigeDRHvFvrREETlkS53pau8lnAt64MAqNymHBcK4ZIBbOYqWUmsIHq3twRsoCHySYB16L2+r0Q4AjZxTZVDcg4g/iP8TxShtZuSeh8GberIS2igdy+2jKOoDSp/UqQk+tKztwrBXVo0Px5V85V8WdwGdtrOIXVY6XJEWB0Fx37d0mr7FAF5Cse/ZrHXdc3l2IU6e0IeSzuZpfT7fzyjVpJJH7L7YYbfQFfyEfn6Hi0eW7bmtNpGM7XF8f4Xmx8v8/NSZpum+bZC5rH8FfbYi68RTRBoFAIrT2SyoYcILfkmfNErW5TN54/2R7rwQrRYvE6lnLFaR+spuZOkd51h6mdOz0yqC3E4PtsXbAq2Y3jdrYbDnQg8Dm8DlpCK0uyZU5r6YtCRUKPDITIQqnjYvs7VMfE3xIyuNsZ1QEh5Il0ik0JEiJRY4iQj5tu+o4sV0MpKR1hBFit3q1RBVhhu2W7QGupvhY2OtWOjo4EMlpkJrJBTh33tUXtqTdpJP6fKaMMtrq2Xp8K1Y1yIwzDxfEORcj0KEo56PpLZVdCEXJULxISMPOsOdVZ8oKdCCIQlfgooQKvXVwuRtLbsDpoSFn4UlAS/AQQH6lHkeFs09V4LUAWMo/j5zpUN3rgdZtqJSAO2+F6b/JInsjBCauOURhRqapxnQvG3RKbg3hv/zp9TxqS6OMqsr1WrQ8UqF3NlzfdEOXRJemxLL1A1llSOqM26IGATqG71zfm0Jr2AXGrd1hcVh7a/EKfQMtoAwlY5LSDQhwakrHIRHB7XeaNj021JZxqK6GI25wtJ7cBArt9SudsWdcdbMMZsEudqh0yAdvrNan2mDRBX4aZhUWGe7QPTm5wn67lQ8TILXhCpg1Gqjm1z+6xHKsazANIbNgdjGYxX5vXpK0DrueRYWyBUGrUkRhNcZ9hDoxYeM/7NWhYreIlQn+BNx3Fy6nf0qkibonLeJKtnklSHx/aKbq5TgqIFDBBFC4Q2KmM6d/VJmWMAIbFxsdzZRMqiu1TfmJ2PcTjHb+GN/h/uBhrzcGwQ3HROsYn+aQojQWgib/XkGVxmWgvbHOq+lL9I7oh4uk8zqeVHTFXU93WFaVKkuptjGCVMFzgfjJ3KvNM2sxhTs96xk9vwOwMzSfHCpq4cvXqrNldC4W6WnbwhiE9YdiPvakFiVy8GBasW0YcOWamEpv/OW0WVsBWp7W01SkhFwN/NPltQgRryllXU+ZG53fcU908MR8iSh5lB8sB+Of22kxjyw82LHQdMzq9c2ufM9MP6uS2h0n+uPl1YxC5B6QP3prn99g20375Q8SK4GXQfLXuHshkowUtFy4gQ5/cbnsQVIug2ZkPmgXK3Q2HRm8586Daj0FCP9lbXG5OgJB6EilgZsHzTy96DguUdNLRwn+3c3Pzauofnyrw0lxcAbwcgkqafXt3PMjxaRAjGdDc+Y9Nacl0T9+k5Ree5HfOE0vxVAHRCd8VN/O2JeUTIK25mxqjDNsvR2WT9ZObST8BprWXTGOY4enDRu3nsfjDz89YkGsDZsTciOnz/kdhfSNmTSeim4x5zEK1x9aIuYhNKYPPMMlGeRwoGNnuzoOh/AwySNtzoNFZbbjUlinyOZDsiQIY7wEzl26ftPT8GBsjKKSb61VJIVykVAayRa3YweaLdZCrJvZr3UIO6rA7BUQIElf5vXQ1DhBZdybM2cL13MxHS6hh4P30MA1kcFSRWK8B02Aon+3OGlvIjOAyKtuB28SIG2IDqm9piyyHlB+oQsDCDZ8fG2yCXnOyOOUIeJHP2MUbtycuXrMoOHXGYamGOXjzuI7zyTtiidgIdq/b9S0UEnK9sKy8B9tg8HnzpxJZ+Ba9PeCCKTVPEzWysWaDvIPFIJ/uJ+bALDhmxgocehwEMAvq7ItVs3rYU521lenR7UWsgj9GqWKmfLZj73/1Cvlly+RUrb5kafhcZOl7ydyOLaxeUDBBC7AG9zChOPXMqTKCqoDxNuzh82lK9tmbwUt7RRddP+XPQ92deYUcRQwJZ7wDAzG1VRhGbNj+INbtef1Tqv6eVqVUJU13za1rrdFidOCMbdkXn/019Bc/cq1bRkLr1ukwGFNSyOPUWdR/eAxh26CDrd1uers10wN1jFLixejic+3pYE7O47A8xw8Pf/Lq1PuFYiVTRg66DXkoT3JZuvb3DLfjV6jV75NBaZi6TOVtiagpSrW/UsvVqW69C33ggYfK9/TN8mOvfQ9+96AfWc9Jn3u6MbA8WfVKUKh3ja5aMnA+fvmq5kbS0v2eIIJ5u9nwTwjnviDFDXMotpffzVDqd2Fx4ZRIxJJliSxpiSeZYzFSj1073sALz8HehkE67tHikCB4GEXAL29lrdnfzCjtn4usv7z0w8+Qb3e///OSXbGPQV903Bdz6n7yq4PA0IaH5QokmG44yWKDDTa0ARncwHtmz7LD9oop4fTnZhbtVtx5FRj5OxZTP1D7JglDReC62HfJWa43ByeeTYL0++RsA5mxuKO2LFuD9fbcz1JWJO5xGrSpGUnnttFV5KBZa5Xl+l6eZdnH2frTpXLNspP24HI7cXRZX+nizni5OrZ2ZNfQgh7SAQVcNtR7jXno4OovF0fzgHyuAeQ+glVY48EcVXODq6dTbgLd46ah4RLfJBtnPt+QS5Kn+BqmFoyfEtNjXLDq6kGoOMmvqOs2RGgEU4ZHmtrK7PgNCuY1dh6j8pdBngZktvXEZoidKYNPMVkGbhOuFBhDPrhErUZum4b3ZgDk/BYHNzFUrabSZb2M75D8r3GgyV6jOPFh4TwfDcvWciO12s7YD1Bw8Xd0M4JwG0leAQXWro7FG704NgnvH2v5odv1Hk+tAsFu/8WXodcvXexIGXyqiURwhUAcnBHkpFA86iKUQKGQRwHVbkFOroQMdpN/yY90PgJPu/oVz1GkJNFkq7hQ0L+I5xOBBKu/Uj29nco9g4p/fxNim49NWrIQExKHyFol+0XIEIOiRAzHxTubzypT9r9+FA9ydGWsv+3DFHuohL50+jekwlzu5w+NMYcR8TLieOsk4R7vhQ6JzINJOY8Sjol3nJwZJYISdY+th6BzC8zO4PyO8wZ7dNLu75C7XzNivTZwimr7io+3sVRaANBsZtGL46m/SEKkZB2Ay9LVZiVTr5bGqG6AatV43ILw0XsDq3tAIGmz34d+hyDQkIUs2Dzj8ZwzVCP0u8jKMYyDNVZpq6yA3JXh7lYaND6nz0XETGa5lqLjfD9CA3St7JRxuAJe8EMJLKX++N48KyC7z6rPBdIg1D9HcpKpqk/RTO4/e+0rPAwQxRQxy9eSWKX2NvN2p5C7au1ss4TY49RFbfyl2EELx/epQnT93Y9cx66QHJDoOrZcBjd7qO8DHhp8XJ9DVthgs8eCqt0kaZ4GbIHrbAH05nACNpyhPVDCce/O/OtrFSSqnGtVejzB//AfU6Q7QCBmpKq49kEe+kAsbBAywyjXsy9TvAQahnDcvG9eaxK564OdHTSo+9q9NhEtqXMtRcf4ywiyNd/7F41juKBAPDF1YGtauDLU1e5p9lm+tMwumAHm1FDEzFlJCrk5mBBSnxBxk2ZaQy4Hq8PC8Q5QMbK77ufRF5CDMiGErUXIepOeLWCacM317MthzMUxNWbFKq0487UhaxsNLVSyHL6dv8jIDM+FmIa7HibjKkeCMl3EBmfsDPlF5L1ZfxmEuYd/e7XnxbsUmBWV0zekNwIJ0A9zb728wz3wG+c6kMN2GFjSV/MB7MwL+9CMWIPc8Kuz390CfQFTnGxzLUXt/IVT9BC18fK7H8irJxQJKoTisO3KQzh02fOsWNkn+KxHgGMUj98YLSzaqM0gZGx98C/XV1kE6Ft6nTYepAc9lEnWrxVfjNeG5z4orZg4behK5f0HPX/l9A425xY2iAWIf8QmJdMwI+G6dFpQQRERAb3o+unfnZRERbOR65w4XkwAyLkENZRIsvRfcN4HG/rFn5GJaynzOdBhykoNZ7C0UZ2ipn5OWctXdAzgCUFCKCAFQqTAHkWpp2CvHDoUujIQoKLinnd+eYNlXj1kHPuAZmTGbyxaIFkzswhRya99zc/wSF+Efu8B49n1l2NZRDwjlJyhhM2o8TtQMDhy6tewidP5s3eJmkHQ2XcbjLwHaNLWefTYyqCFzoywMDW4KnEjhaURzWILgneDB9JL66cU1Man5a8WaZBFjIT/YnuKxXmKPZ1gEhi/f3nOAsjhpF74FQqVwrpMH/uWNnEJWW+014BXHKnzHOOrdwRkes+9aTl99NzypHr0q/iA3VMzCzYOr8g8/ZYF09liMSVLqiiLdFXKRAthDzE6gOXhnE5KC+JBQ5LE+/TKo9l00XKAOErmEQab69LrQQU5yB50oecX/L7d5mnrgAdBN8o4h/mNxhQ19lIFuW2vFVtwhxBBGOGARIzKA8UM28YPMlhgeKvLoLFeh41fTb8dLy/2lkAHHglhxOMhGDQuN4xvPFbl768tOSHYp4y86SOxKPGPYFGyWtemI9drFWw8NDpce0DkRyOIIZPmoQaH69arUJCFaocdgl/wuYkMydN9mGK+n57aMvWuryqzOI2nMfOXlRtJ0UdJy9QMiyK8PGlAODre+d/t31VOnooQ++dr5bu2efmibWEIdxhy13r0ruEEZ54IpJDEVGexDB2GoHav1pamuSVoBXWQM4+EDCQw2TlUQhGzRw6Q2mthkgXQdZje4bp1WkAGTZt7O+kVdtoBaDCps15jKCI/xCTETuggfbYvJC86ehADEmtBHzOSyxqX29tD8VTnWuv8AQTKHQqylhlYnK8tE5svllxybOyjlDK5LKOPPtkvQUQoEKQrOMGZRqQCSFK3VdKYbciz+ZUrvfee7CC1wwJLoNtw/dDMoIKmDT11rXg/1BnbmUeLM4PL/TNbd4drpHTA0zoe3dekOASrvclrhUs1PUotvgiz2+UBYkRCcyBpuz55xjQP09tctz4QfnnO6Xo6aKImhU4labEv9qBdxSbbdboVVGrTA1kefUEtFKWJXzmbItnNg1ADFAGwvV7+cRRfCIW2QgmSSKsj7xe/WwKNz7S/EBEepOBSzirQRScOjLyCJMSonGtptjvsOAg9nUEKc4fwPJYyQQc4Q7nKlbmp3Hc3LHKgqsm0Frj+ISWsgPphu30A72F2C5v4hSk5B006NJUorAy+/nzcwrEkPIk92n7BQbXLGEvngUQ5BpPrNRrBKJoofpZYo12rn1vkULJVDDxIuD59BFDdqNnq3dIgvQKVidoc3fh51CS6gYJUbgzXMPVL3SBlL1W7TXZsZKAwae514cI7bnBMi1eRgOjMgqYGcqlMl17nU6HysZgHNg97cFrVj4Xi8TqQ/VC9zfXo4iENK1BeFhnaT5dcVU5i2kIb1/Z/Amis9Nlj9zWG6NNw4tcXfjq+xDwx067Sgepc/aBpqnHIWwzQBtOlt5fUXGV25rTAFoolwap0yb425evauPELeWkVhEKjBwlpeTO3zzolj4J2wYCn5qTR1gJm3+NXi8v57qTU8fIZSoNU76EXtq1JwKB395+gBpJg9EC7jt3CD5fhIa4LFvWAcJPl7uef9HIisKo/qCDq9Gq/ARWnJz3vwCksDg3Mk57TS8q5QZxEvZm8QIouqj6BGB7C9ub3ZvkhPvi9I1T6Za/ekUpGvEYAqW1vrzK3g8j7zPmy8cmnaUboOwt2tdY6coJNLzhTn94vlWkGmW5UluwWcBMnRydX6uPV6ziJme7JnAY6/vrM8FVcwOmPp1PYQOZIlbsUWtOoRrj/44mOvstevAQ6OvTmh5K9O9NZCarYBBU02XYvFiT5JIhyCmQ1Hfx2bwxFkhqunJX8k0kP1aFSUdz6hp+ZSArvMYSM12N+gc5QYzdSM+ky+TqF9CMYlg9jUF/HAHKOVPcwqAt2tavdhwRl/+5oEj4JGZAVOINZ5VR8nlgQpmCxzmM8PQbrCdenVwIyaLzHaeeh/ocH5AOwymrOkJMzt0Q60SJZGgYWv5xNsWviXFSXLcqjQATEQQ2i6+3ORDOoo+9wFWmuP5nO9qaqfB4IzpmPgEWKM8DW2jjLIAgFHd8M8vd58rl+umxJgPoj1hRYudGLiaSBCrIHxbGAj0Nowe63+ZtE15PQ602oxmGncXEmYobiporl+BzU17I3iZFHqAwWpSnRctjydxVhYOV2nJofaYLOwLNmpmup7q5iFUslMoQnsXEid5XknKyg2hBRQGhgALFgTEymzic3c01Cl4jdwKb1u15I/eIFDyi8hiyQVwgm61FQ5E46cWqKvY5ikJVLlqMwyiwOU0CDE1RAuhyf40lmASbeh/T+l0+7Rl43N2dBY2O2/yUhObSr4MwixdSQp3nakqdwjHXOKR72h0ZK5ZeWTZvqSeTX/6dnG58MKVu+MrvYm3dezmYQJ6gvXUEbNw0jPr1LCmCFR3ajQGVw2Co3fZvgoIBw41OAtN5WMp+r6v8SvhL/vjUUZeGb2HMB0oIY+gqUbFVI+UNoNR7Pl2Kqj4/O8COOVME5K+sVf0ZDHcGpkvuRLx9PP/g/zImWiAtnz+BjhvTvDqTlfjic8GFeqpFN53O8P9PMx3gmfFUsIbukjcNiMJRTVe85Rvnz0S5EoeEQEjzbFTOrSVPIolQyGr3IpUSzgT6CAMMpQ38+Ws4A9buEcEpKsdzYaeba69/7IHf7pveJgi49QzSfO1DK/kdoyWaMXEEckutDgInY2lIoIo4WDwuHCo7ow5akp2nebY6xFr/p6XMkpn83F8TojlqgcopySCX5gVE5SNS0kcQcYYNCMWVacmuvJfvBflj4lS2hTwJXOu4j6XWvFyS9/t4Vu5IFb4nnL00bcOrjmx8H/YyQaGz1usYIT/5izT9dX2WCr5Uv41+vbs2LWEacrAM11rNBIY98tcqqHvfsC4+ChoiofoSiNb5Cfq9/tS2exJOepphK68TKvvcASD18hxCpR0cvKyvLb6r4AxuFJ98MXz++6cJ+wsnDgIgKH8kvXj91dsCzeFj6d6+EIu0dFdD78cfJzrz9goXy8DWpHM4EG3N7bMJf9p6a+kO7HRQuGBUZgjzaiw/3ekdie2FOcrywoaDHOEanoInjla2Mrsrvxn5PbmBjhgBaPsZOWJDmlwtFCE9qwWyy780WXcwei+LdBncaa/E4Y1RCNzH2n6bvWMVon1vcjTIG+qviO1fBq0zQwrSP+QXmAppR5ZYs4DiFnHhGFNfSxtzJnry/5ZYMp/Hd0G+hYLeYoe8nyL1p1wripJ5Ge96mpQu5HOY1he0K+YOdRjXcNe2i0AHt95wSJwMNSWHamji2d8Cyl8LLtlk3biaxsPQp9/Zf+FPsAh/jO9AieKlfpexGotxelFMIbxpne6Og43zw4WJQeeSSwVwhXn2qqMpsIKg6mKznZTHXEGZ7bPDSzkx7STD62IX8FCfGcmAMwLiZXKYHMexCd1itN8qJIYDjFvhCweAp75hao9EXulSOMSmrqj5U4GXhcMHQBHy6wHGWbxMyzqOQ3ka5Zy4YyBXkHYQKqkxDMv1GRqFLemNnahk85WrduAXAejMt3wzWoIAXb9Sx7XOzvGwQcsJPwcdE4db+cHGU0BkVf9V+eyNJ0EosxzsI91vv8bELviwaL7+7LUTmkRy9Zc1RS1vRaNTz6Scjb51YhJfY7o/GL3k2PjRxjlICH0rRbvczLWRDij5IoPDPCZUxiA78aInGEic48CLKmOnZQpDSrsAWEvpAytX2INeSdEp5mBIqfI5gGYLggA8WNBac6IBLLEOmZ8iJu9NRptazQu90OH8IHKMm+HKzvkpTOjoD06ucuLtlcOiWpKUGJ/aSpGMpTb3uYJDCes5Q0l7ucsOu2S6RedpyQqEYDK1ApehbiL75FOkGg4dAbLmHedku/OYwUo4u8AeFDBOKUmLs8rRAILszJUVH+RL5e+w7+8zswp9dN77/FY7DvVGvf2ODFl3fmS0Zz3gMHF0lwabjZp8jSOvzdl0rbbkeetqk/0BCDQyfkgZRI4oatyKa0eApEJskml6WizJ1Sak98zSXYeWdof8auoCVM+9kmt7p9Cx+lXZL4p06po13bj0bDvLmTwYtiEi1Kj07BAkdUepP2a+RKnusJtvjffWsvjXO5m764shW90oDlJrHzOie3Ry9thVNRtZPb3X9bB4zIiy1y9/bDnsGfezC18pw1DIN7yx8tfAeHYIS4Yj2R4V2cCyzkkJLttmDnchKfLGDnfoBH03LSUU4q5DGD5Z8s+Q9OyRKToKyMwV3YCyyQqmFTXZ/LxPFk2ax1oXZBf1p/3ctYfcC03cLbzY5ViFMSctZfZMdnwraI1lY8vtHZcRie6LQd661X0u6saAP/RxiUDdh6I/z+F6Z8G0DmAy+lr8i37716CqG1KbozLhjXi8Yd/QrdDSkefQS+2wiEDtg8DgAPoZ95pzKyqcJp9n42fONAOmPM5T6ofhJWPoTQwuygP71H0Ix+qIyV6gBvzh+vUa/9XGmATD+88cQi8GXlbsAxMRGt+gS72+P2DzfGgezH1O/ojPias0tcXG1m9KpsL5KXkFbvbg9CLrUoZjBrUH6ROUzwMGxwPL4LAb6TwiFfqtnaffbtFSL+3VE0yWDS1ou6D1vAjzJItobaT0aevrZUdgBUl6nw+5gTrDKs4tbKau9rs9Zvy2arAJuQ6w3wuXRJ4N42KbGtCsa/QbSLadPW4y9xjjfbT3rGfLi2iRN2YiJbAkL7PvJFrcjCbQKjZjgLwoN8RU2J7es0MMKvbB5buJb1s97X/r3PygaOREtyWgltsX+fx5dmUEnXna84BBeQXN4aLGLxQG0tZc4BPRSbE27P6f/EGlxS7MifevnLXPs85iZNOunnJv+4xLM/ZT/1y4ZXEAl6T/9lv+3kqRvV3Fuq3WhqoBU8xZN/+g+jDdU2qmFZ2yvxxgBzGvMRnL8naHXpeeQ8p44NFRwceZXdrsJUSdQhXEfNq3Azt5mCAstifd2zyFbUU3WMCpHSBSMynnHuguceBHNjXUXWpSM89KCPWLUczVRSxwHT/8QzxAUsvOVZhc4ve1VjjVWW+UZLT7YAKXeXPANkzC+KF9p4yRR1TxPjQIVFjRFMWNUDVZxXLsq7ojOV1gIYiyUeNFLDIbjqEXUc56lo/fT/lR8Vwc/QTZDybd+YM78cfDkFzHOqO1Wr6qfGbmfpvrNPF9P/tE4I2kWeebXv9TKztd9UrSjOFyaYMA8XokQM3gP3v4IHYqm8uG7HZh5vBrhf4blWX124weBKTuK2jHq/hprpp9ucnXzvnOWw38S0ULnOam2xipf+EHQtsg9+U9DpuQh0ShfW40zG/m9e721xfR2q+sfvObE/v8NzcFoUCLm1+B/fnmjgAAAg4FOFMiAQGyIE5+GBCVDl6rUVebqeebp+U5YgK+ngYYZGvYwOhmYlS82VgMTCAAA37HowYpX66uBAgC8q3g0h+LzNf5dRz0ORBH3hCQ3K7Ilu/IEFdTS9E7svl7BPCd5Vs8TAokQvaQvlcv4ZeayejlGuEa4Q3hGpBC5q2b1XZPX7LV0vUV8QLwd8hpFmPaWcRQAMEzPEGtsAswtida2LtTvdG9fTROeDpS/u0adgd7p8e353aV4uzshbKCHy8HVhNmwM61InA6aXHL5IdR79Rl8J78uuaPpjJLLrI7lsIqxjjR8in7BkI82XRj4CPF6d4TFVAiZmDbb89ZxqdON3WulEwWdYAJdwVtMg4GAfhugMVl5Q3wmyfOgWPu5fxzi458yWZg2FWQG7YmxkYPgjsAZ1nQk8fZqQos6MOoLaAKoAfDDoVPn/OkSuX2cZG09hTDC4Q04JIbZyNsdIa8gzfgp1KO9Xp9PL5lczdiwvkQIQQMfyW3wfPc9ITMmPUOqS4PLCbOpH2unPeN7FDLN8cZrfrpCjzE0cLCwLi3KcXiwoC+iXCcHmwm/bT7fLA9TSxmpXkapd79VguiUPC34E5s/zmvFPl1o6A9jRcIJnvfKUSu2kHaaoehIcQNCIhv1i8HuxNl82OHgSPZ+Q745v71bdPKx3q4yFBaMG9ocsDY+YoSGBQQESsgbUz8NAyV3w6nBAQa/8wQ5M1nIOP7XJo/csM8jDDQ0Mho3fPGMm3+m0Tpc/+NDfdQc0hgF/qxgzMgv1HBwhlsctxc0QDlVsA3nbZNaolhODm04gMEnCt09JMUdrgzXcjjV/XCTFxVrxQaJ+LeIrN4NIItD5ctCZ5Y0C6Bi4NT2gyA9TRqshqERHPdLABPGWsNTp6WrGMZoocKZACM/9V0Pl8EzwiWcYS605cv8IE1bj9NzM7ymTxfMQ/x4pC82kCxSE9kkN1UaqYzVmjTdwS0LNfDHYfEFwSEb9KZwSZLN8B72Bef46d36oo3UnEp4Ar0orAYMGh/MMXEYMWQZdJCI0USzS7OsCwOJwys+PjoGDk4VxrE9ndiC+FNcTHlEYp8NU6ZlRCufPogAWvlmSR4wT0/zgUrv9CYggQxBWFEeekf+oof0QSsMGCAQHRUl7ogyJGAWTQUNeyaV4iUPfiqeeu/IG3yUT+2nzBSUeg8YH68iSMNJz0rXvvpJXkMU//UBcZMVAL4B5AQAKpIlcdRsAI9JjKkoKhBg5GDFLEeO0VQOeQJhHkzJMBPDKQ65RB3VbOrRsMKWwyEMIeFw6pgi6M6Vk7cEifSVPEVss5/fEx4o8HJM3uCesoOIKzOCbEwIqFelGfTKDWe8WnYE2Scv9BFSSyL0ylWFQm5QRLkypfC2sC33oLCD8IQ5x1e+MNUSCjDfLSC75NVruWwCZ2jho3wBxdUXsXp0EFA6xENRNIkksZwI2bL/7iLLIbDJDlTY5QC2PscImeF80QCFEJP1uRYmMiKrc6AUVFdz4yFAC9D3kcGJsxGiREuTLfvVWUqIEAHBrBYtl2HTvqddh+36TggAAIDBKgAr5hUArMxH6sDeAwIrHLACApTFbGZ3cjBZk6xOWoGcjO62hC3s4ZCFzp3GTTNb2ZscVh2rsX1Je7+teBqXODstbGNfciTpTrp27cxHTLalbGf/+NENRFi7Gk3tr4slW/nDGWcSKzPDnAXv98QSdj8hsXZREFl3qaiDIPGIVaJZxg4OJMeW2rDU+qV6Vdp25MDUGOzIAeAQ+Rshe35bvm7WIEs7DrdfHLtU+eH7ko3TYee615/7OY4fip04WZ+p+TvgzKxzC1GZ8zwgsGAae2V/OJk0JR7UI4o0Z8kNDoi3A6P31PjrYI7ZvUenghkFGKj4s5Kei0wFC8MG+vp3C4BGQhlTrp3QukOUVGEEgC1rRH1EBrPiTRjQNAEGgidl8mcFjHwEyJBtki77Z9ccmIPzF3ZKyVMKlDqlWcVTLcG5uBYfjufiRfhJ9ePfAICBQ39nsCx57Nx93zhnrPB/wfazNpmAx7oEK6rRf63/Wv7t+tf8a+Chuz8xPo50UfweiR+hD38PftAOCNzLGLAZVXKO2MsJXSEZOFQ+lFUBD+ESTAY8ssjGmTwmYRrvImZ8v4rNsJ1q1xRIANiBFJIyrE8dnALJAPsrBatBj02BkUB5PQVSgfJuCqQB5f0U0lcrHxQ4UVk2BTKB6rMOyAL45fIV/iP4PTYFcgH+eArkAfyFFPIz/BV5NaNg+Ts2BYqA+pcOKIHc8BQvUIUPPtQQRBC1BBNMHaGEUk8EETQQTyKNJJPMGKykMpZ0MphAFllMIpdcJlNEiZqS3vqR3fqpph+6jbEumAkRErNgwWIOHDi98HoXIv687e706o9Z/r9R6NhAduXit3JPePrAD8+fH096j0jRFtSBtslNeQAcXUmdfX6Y+v7EIsQwcZR3K1OOl+hjMzyCLc1HEBk1yDHCwA4cPt5OAdHoNWCha3Agsmw+uwUYqCO6KKG5iQmjtgJOpbIdG4dR8Et4nbCfWhjTzR1agOOYcBdmByKEhlzQQjRJ5XY8N0GUQ7T5CFhEPCr1MfiQrVARAbYd3N4yyDlvaMC2DDlEEXkkIrO4ad5G10B4LraA085EDpHmCRQ6IzRW09OE4eF9AdxKsGtHnrfgxV5q78F3wEAeAobW2Po5QOkwbQagJipRDWWaDhHTwrdbWVQsheXDEcs9UUiKH8BbtqRZ+HWmzLazG8vBCcybncwjoGu5q78OTpKReK+OOJ0M5SPL4f7LThqvIZm1Xa+CU0+BIu/QfP572gHm6lzeIn4A+zJ6zVcgzj9gqEARef9SH0VXi6Jypm3nuP3OvvuWdNwGcgOatvnWhhJnij05v0Hq96ZqZUB6ToD5JQhfloL6EOL4dFGnhoBOZXA35i37+3QANEZTc9WPq915OMKn2l6EiYN96x6AvoZ9XdISg+4HPMUpZ+ZbPHh4PxtgBhNfjl7l2F0e/S3Sxd3W4YlD0UAZAADxoP9tChTDACFQ+xMJEF0iIBjJJQpMzLRJkF8SQTaBQrqXfmlDPYXV/isTkk89hfrqYxrItl2GebUQu401Gq2vCGS9g6bTQR6Cp59f991bEQJA3R+PZDhFXm7gMX/Etss287Z8NxpAP+8HoikKBJCqkF4SzqpHB/z352EZZHIf8oalVLQsb40H6xzDYP4cW6XiBavHRMuLg/h17XxGX3MWemuUkRJXIl2jfLktHhOGjv2aUaqz6S8hHSziFtloQoEQ2/wt4G+tQr6WKdJdUKBufZ9y73ixtlmenRXB38L/gOyZa05LEBU4PXeOlngZEp7d7lGLkaunj2d6Ifzj6NqiuBz5Q02BFSnF5zbYPFiJc9cqyyG65lcxzwxKlFirjZooqq1nCAB7hzSidXR40iL+I5TSZQJu3679dg0ubmmv2T4jX4SDY2kBdVGyw5AYeCF2lNwZLu2CKdojQLg/Uqg8dzms76NGIosCMP3WeXT/VF5D6ULe4DrMGZZxlHBDp+lgdcQq+UjvENjuYkRqo1UFOXPdVz0kVReJd1xODTSWj+IbfRxEyNnrP73ePJ0EZoD9T8FDkjfCLGyNYYW9aPsVvcLr2irV1D5cIR5phOwlcKVm/ZzpCwzInfmJsJvUayXEWMwKrr2MEx5ocq2ezDAJVRIOrETNIp3EmZdHPlaRFnNbgPBNJpS6qbWykNbipPdMJo0v2s+lwQCxnBKHak6RLJayZi2KCtIiwNrWhbKfEQ3IflhCekzsxp/sVpIoHMSGMov0p8qBZTnZC3eCsEoANna/rVhxzJbFvzk/+RxNPw0yqxffn1xIG4o+JCIjWIippIYHoXrpVq0BO91msDcn1DTSxe68jbDpSAfkBaPeHhp2oFervlwmdgw6henn3VjVbYpfJpFaMpbxQZMhef8pxWlPT2NBAsuHourQVv36hV9GX/5w/lppN8ukuEm3QjAsmjCRXFMHn8hmbsJA7exm1LqwB/m4MLc68PaXFiUjGRjiaA/3cS63tBMufWNRnBl8XuJbDGW4x3h6Pl+V5ypphMzbSA5qtnWfOr0BYZ70+NyZ5c7I6FYJxXTGDDH4QoLtXp6ebazUbrMbJKYwt2+x2xBKn2glrTt1vpjlTi4spQDbHA80+VLe0qRkJxnMG7Z9MIpZMXucbI157BI7RtSPFHv55r8t9wzT8EM0Yhqi18L/b6O/XudRAA==";var MATH="http://www.w3.org/1998/Math/MathML",KEPT=new Set(["data-field","display","mathvariant","stretchy","form","fence","separator","lspace","rspace","accent","movablelimits","largeop","minsize","maxsize","width","height","columnalign","rowspacing","columnspacing","displaystyle","scriptlevel","linethickness"]);function copy(node){if(node.nodeType===Node.TEXT_NODE)return document.createTextNode(node.data);if(node.nodeType!==Node.ELEMENT_NODE||node.namespaceURI!==MATH||node.localName==="annotation-xml")return null;let made=document.createElementNS(MATH,node.localName);for(let{name,value:value2}of node.attributes)KEPT.has(name)&&made.setAttribute(name,value2);for(let child of node.childNodes){let part=copy(child);part&&made.append(part)}return made}function math(text){if(!text)return null;let root=new DOMParser().parseFromString(text,"application/xml").documentElement;return root.namespaceURI===MATH&&root.localName==="math"?copy(root):null}var loading=null;function loadMathFont(){return loading??=new FontFace("clwork math",`url(${math_default})`).load().then(face=>document.fonts.add(face),()=>{}),loading}var[LARGE,SMALL]=[22,11],MATH2="http://www.w3.org/1998/Math/MathML",Formula=class{constructor(method,fields,hooks){Object.assign(this,{fields,hooks,lit:null}),this.methodMath=math(method.formula),this.math=this.methodMath,this.when=element("span",{class:"at-step"}),this.root=element("div",{class:"clwork-formula"},this.math??"",this.when),this.marks=new Map;for(let node of this.methodMath?.querySelectorAll("[data-field]")??[])this.mark(node);onResize(this.root,()=>this.fit()),loadMathFont().then(()=>this.fit())}mark(place){let name=place.getAttribute("data-field"),node=["mi","mn"].includes(place.localName)?place:document.createElementNS(MATH2,"mn");node!==place&&place.replaceChildren(node),place.previousElementSibling?.hasAttribute("data-field")&&place.before(Object.assign(document.createElementNS(MATH2,"mo"),{textContent:"·"}));let first=!this.marks.has(name);this.marks.set(name,[...this.marks.get(name)??[],node]),node.setAttribute("data-field",name),node.setAttribute("mathvariant","normal");let{light,control}=this.hooks;for(let[type,lit]of[["mouseenter",name],["mouseleave",null],["focus",name],["blur",null]])node.addEventListener(type,()=>light(lit));let knob=control(name);first&&(node.setAttribute("tabindex","0"),node.setAttribute("role",knob.field.slider?"spinbutton":"button"),node.addEventListener("keydown",event=>{event.key!=="Enter"&&!/^[0-9.]$/.test(event.key)||(knob.input.focus(),knob.input.select?.(),event.key==="Enter"&&consume(event))})),knob.field.slider?knob.drag(node):node.addEventListener("click",()=>knob.input.focus())}fit(){let{math:formula,root}=this,[width2,height]=[root.clientWidth-16,root.clientHeight-8];if(!formula||width2<20)return;let size=LARGE;for(let round2=0;round2<4;round2++){formula.style.fontSize=`${size}px`;let box=formula.getBoundingClientRect(),fits=Math.min(width2/Math.max(1,box.width),height/Math.max(1,box.height));if(fits>=1||size<=SMALL)break;size=Math.max(SMALL,Math.floor(size*fits*10)/10)}}fill(text){text!==this.filled&&(this.filled=text,this.math=math(text)??this.methodMath,attribute(this.root,"data-numbers",String(this.math!==this.methodMath)),this.root.replaceChildren(this.math??"",this.when),this.fit())}markNumbers(step,shown,dim){markStep(this.root,step,dim),write(this.when,step===null||step===shown?"":`step ${steps(step)}`)}light(name){if(name!==this.lit){for(let node of this.marks.get(this.lit)??[])node.removeAttribute("data-lit");for(let node of this.marks.get(name)??[])node.setAttribute("data-lit","");this.lit=name}}refresh(){for(let[name,nodes]of this.marks){let{value:value2}=this.hooks.control(name);if(attribute(nodes[0],"aria-label",`${this.fields.get(name).title}, now ${value2}`),attribute(nodes[0],"aria-valuetext",value2),value2)for(let node of nodes)write(node,value2)}this.fit()}};var EVERY2=125,LATE=700,TRAVEL=240,NOTCHES=100,MOVED=3,SettingControl=class{constructor(field,hooks){Object.assign(this,{field,hooks,state:null,error:"",refused:null,busy:0,held:!1,editing:!1,sent:0,at:0});let id=`clwork-${field.name}-${Math.random().toString(36).slice(2,8)}`,symbol=math(field.symbol),sign=symbol?.textContent??"",title=sign&&field.title.endsWith(` ${sign}`)?field.title.slice(0,-sign.length-1):field.title;this.name=element("label",{class:"knob-name",for:id},element("span",{class:"knob-title",text:title}),sign.length<3?symbol??"":""),this.input=this.made(id),this.note=element("div",{class:"knob-note"}),this.root=element("div",{class:`clwork-knob ${field.kind}`,"data-name":field.name},this.name,this.input,this.note),field.slider&&this.drag(this.input);for(let[type,on]of[["pointerenter",!0],["focusin",!0],["pointerleave",!1],["focusout",!1]])this.root.addEventListener(type,()=>hooks.hot?.(field.name,on||this.held||this.root.contains(document.activeElement)));hooks.help?.on(this.root,()=>[field.help,this.note.textContent].filter(Boolean).join(" "),"below")}made(id){let{kind,choices,title,slider}=this.field;if(kind==="choice"){let box=element("select",{id,class:"knob-box",onchange:()=>this.send(box.value)});return box.append(...choices.map(one2=>element("option",{value:String(one2),text:String(one2)}))),box}return kind==="bool"?element("input",{id,class:"knob-box",type:"checkbox",onchange:()=>this.send(this.input.checked?"yes":"no")}):element("input",{id,class:slider?"knob-box knob-number":"knob-box",type:"text",inputmode:kind==="text"?"text":"decimal",autocomplete:"off",spellcheck:"false","aria-label":title,role:slider?"spinbutton":null,oninput:()=>this.editing=!0,onchange:()=>this.typed(),onkeydown:event=>{event.key==="Enter"&&this.typed(),event.key==="Escape"&&(this.editing||this.error)&&(this.editing=!1,this.error="",this.state&&this.show(this.state),event.stopPropagation())}})}typed(){this.editing=!1,(this.input.value!==this.state?.text||this.error)&&this.send(this.input.value)}drag(node){let{min:min2,max:max2}=this.field.slider;node.addEventListener("pointerdown",event=>{if(event.button||this.state?.off||document.activeElement===this.input)return;event.preventDefault(),node.setPointerCapture(event.pointerId);let[x,at,drag]=[event.clientX,this.at,new AbortController],move=({clientX})=>{(this.held||Math.abs(clientX-x)>=MOVED)&&this.move(at+(clientX-x)/TRAVEL*(max2-min2))},done=()=>(drag.abort(),this.held?this.dropped():(this.input.focus(),this.input.select()));for(let[type,act2]of[["pointermove",move],["pointerup",done],["pointercancel",done]])node.addEventListener(type,act2,{signal:drag.signal})}),node.addEventListener("keydown",event=>{let way={ArrowUp:1,ArrowDown:-1,PageUp:10,PageDown:-10}[event.key];if(!way||this.state?.off)return;event.preventDefault(),event.stopPropagation();let before=this.value;for(let notch=1;notch<=NOTCHES&&this.value===before;notch++)this.move(this.at+way*(max2-min2)/NOTCHES);this.dropped()})}move(at){let{min:min2,max:max2,log:log2}=this.field.slider,{kind,low,high}=this.field;this.held=!0,this.at=Math.max(Math.min(min2,this.at),Math.min(Math.max(max2,this.at),at));let value2=log2?log2**this.at:this.at;this.now=Math.min(high,Math.max(low,kind==="int"?Math.round(value2):Number(value2.toPrecision(3)))),this.input.value=short(this.now),this.filled(),this.hooks.hot?.(this.field.name,!0),this.hooks.changed?.(),!this.timer&&(this.timer=setTimeout(()=>{this.timer=0,this.send(this.now)},Math.max(0,EVERY2-(performance.now()-this.sent))))}dropped(){clearTimeout(this.timer),this.timer=0,this.held=!1,this.send(this.now)}async send(what){this.sent=performance.now(),this.busy+=1;let before=this.state?.text,late=setTimeout(()=>this.waits(!0),LATE);this.error=await this.hooks.set(this.field.name,what),clearTimeout(late),this.busy-=1,this.busy||this.waits(!1),this.refused=this.error?before:null,this.state&&this.show(this.state)}waits(late){this.root.classList.toggle("waits",late),this.hooks.waits?.(late)}show(state){this.state=state,state.text!==this.refused&&(this.error="");let{input,root,error}=this;!this.held&&!this.busy&&!error&&(this.field.kind==="bool"?input.checked=state.text==="yes":input.value!==state.text&&!this.editing&&(input.value=state.text),this.place(Number(state.text))),input.disabled=state.off,attribute(input,"aria-invalid",String(!!error)),root.classList.toggle("wrong",!!error),root.classList.toggle("idle",!!state.idle),root.classList.toggle("off",!!(state.off&&!state.idle)),write(this.note,error.replace(`${this.field.title}: `,"")||state.idle||""),attribute(this.note,"role",error?"alert":"note"),attribute(this.note,"title",this.note.textContent)}place(value2){let{slider}=this.field;!slider||!Number.isFinite(value2)||(this.at=slider.log?Math.log(Math.max(value2,1e-12))/Math.log(slider.log):value2,this.filled())}filled(){let{min:min2,max:max2}=this.field.slider;this.input.style.setProperty("--done",`${Math.max(0,Math.min(100,100*(this.at-min2)/(max2-min2||1)))}%`),attribute(this.input,"aria-valuetext",[this.input.value,this.field.unit].filter(Boolean).join(" "))}get value(){return this.input.value}matches(words){let{name,title,help,unit:unit2}=this.field,text=`${name} ${title} ${help} ${unit2}`.toLowerCase();return words.toLowerCase().replaceAll("_"," ").split(/\s+/).every(word=>text.includes(word))||text.includes(words.toLowerCase())}};var AT_WORK=new Set(["starting","waiting","running","paused"]);function nextOf({status,alive}){return!alive||!AT_WORK.has(status)?["start","Start"]:["pause",status==="paused"?"Resume":"Pause"]}var Toolbar=class{constructor(about,hooks){this.hooks=hooks;let{method,steps:length,seed}=about,title={class:"method-name",text:method.title??""};this.method=method.paper?.startsWith("http")?element("a",{...title,href:method.paper,target:"_blank",rel:"noopener",title:`${method.title}: its paper`}):element("span",{...title,title:method.paper||method.title});let button=(name,text,label,act2)=>element("button",{class:`clwork-${name}`,type:"button",text,"aria-label":label,onclick:act2});this.start=button("start","Start","Start",()=>this.press()),this.step=button("step","▸❘","one step",()=>this.hooks.act("step")),this.stop=button("stop","■","stop",()=>this.hooks.act("stop")),this.speed=this.createSpeed(),this.fields=[length,seed].filter(Boolean).map(field=>new SettingControl(field,{set:hooks.set,help:hooks.help})),this.bar=element("div",{class:"bar-done"}),this.left=element("div",{class:"clwork-left"}),this.status=new StatusLine,this.progress=element("div",{class:"bar",role:"progressbar","aria-label":"progress of the run","aria-valuemin":0},this.bar);let state=element("div",{class:"clwork-progress"},this.progress,element("div",{class:"state-row"},this.status.root,this.left));this.chip=element("button",{class:"clwork-setup",type:"button","aria-haspopup":"dialog","aria-expanded":"false",onclick:hooks.setup},element("span",{class:"chip-text",text:"set-up"}),element("span",{class:"chip-end","aria-hidden":"true",text:"▾"})),this.root=element("div",{class:"clwork-control",role:"group","aria-label":"Control"},this.method,this.start,this.step,this.stop,state,this.chip),hooks.help.on(this.start,()=>"Start trains with the settings below. During a run this button pauses and resumes it. (s)"),hooks.help.on(this.step,()=>"Train one step, then wait. Without a run it starts one and waits after its first step. (.)"),hooks.help.on(this.stop,()=>"End the run after the current step; its result is saved."),hooks.help.on(this.chip,()=>`Encoder and corpus: ${this.chip.firstChild.textContent}. Click to change them, or to use settings as published.`)}createSpeed(){let choose=choice2=>{this.pace(choice2),this.hooks.act("speed",{speed:choice2})};return this.slow=element("button",{type:"button",text:"slow","aria-pressed":"false",title:"wait between steps",onclick:()=>choose("slow")}),this.full=element("button",{type:"button",text:"full","aria-pressed":"true",title:"without waiting",onclick:()=>choose("full")}),element("div",{class:"clwork-speed switch",role:"group","aria-label":"speed of training"},this.slow,this.full)}pace(choice2){attribute(this.slow,"aria-pressed",String(choice2==="slow")),attribute(this.full,"aria-pressed",String(choice2!=="slow"))}press(){this.hooks.act(nextOf(this.runState??{})[0])}show(runState){this.runState=runState;let{status,alive,step,total,left}=runState,[name,word]=nextOf(runState);write(this.start,word),attribute(this.start,"aria-label",word),attribute(this.start,"data-next",name),runState.speed&&this.pace(runState.speed),this.start.disabled=status==="elsewhere",this.stop.disabled=!alive||!AT_WORK.has(status),this.step.disabled=status==="elsewhere"||alive&&status!=="paused"&&status!=="running";let prepares=alive&&(status==="starting"||status==="waiting");attribute(this.progress,"data-busy",String(prepares));let part=total&&step?Math.min(1,step/total):0;this.bar.style.transform=`scaleX(${prepares?1:part})`;let ran=alive||step>0&&status!=="ready",words=ran?[`${steps(step)} of ${steps(total)}`,left].filter(Boolean).join(" · "):`${steps(total)} steps`;write(this.left,words),attribute(this.left,"title",words),attribute(this.progress,"aria-valuemax",String(total||1)),attribute(this.progress,"aria-valuenow",String(step||0)),attribute(this.progress,"aria-valuetext",ran?`step ${words}`:words)}flash(){let now=performance.now();now-(this.flashd??0)<500||(this.flashd=now,this.bar.animate?.([{opacity:1},{opacity:.6},{opacity:1}],{duration:400}))}set(settings,words){for(let field of this.fields)settings.controls?.[field.field.name]&&field.show(settings.controls[field.field.name]);write(this.chip.firstChild,words)}},LONG=3e4;function lost(folder,alive){let gone="The kernel of this page was restarted or shut down. The page shows the last state that it received.";if(!folder)return`${gone} Run the cell again for a new one.`;let name=JSON.stringify(folder),further=alive?` The run had not ended: clwork.resume(${name}) continues it.`:"";return`${gone} The run is stored: lab.panel(run=clwork.open_run(${name})) shows it.${further}`}function silent(since,step){return`No message from the kernel since ${new Date(since).toLocaleTimeString()}: it is busy or has stopped. The page shows step ${steps(step)}.`}function unanswered(since){return` Clicks have waited since ${new Date(since).toLocaleTimeString()}: the kernel runs another cell, or no longer knows this page. If no cell is running, reload the page or run this cell again.`}var isTrouble=since=>Date.now()-since>LONG,StatusLine=class{constructor(){this.sign=element("span",{class:"state-sign","aria-hidden":"true"}),this.text=element("span",{class:"state-text"}),this.more=element("button",{class:"state-more",type:"button",text:"more","aria-expanded":"false",hidden:!0,onclick:()=>this.open(!this.opened)}),this.root=element("div",{class:"clwork-state"},this.sign,this.text,this.more),this.polite=element("div",{class:"unseen",role:"status","aria-live":"polite"}),this.alert=element("div",{class:"unseen",role:"alert"}),this.root.append(this.polite,this.alert),onResize(this.root,()=>this.measure())}get opened(){return this.root.hasAttribute("data-open")}open(whole2){this.root.toggleAttribute("data-open",whole2),attribute(this.more,"aria-expanded",String(whole2)),write(this.more,whole2?"less":"more")}measure(){if(this.opened)return;let{text}=this;this.more.hidden=!0,this.more.hidden=text.scrollWidth<=text.clientWidth&&text.scrollHeight<=text.clientHeight+1}show(text,trouble){this.text.textContent!==text&&(this.open(!1),write(this.text,text),this.measure()),write(this.sign,trouble?"⚠":""),attribute(this.root,"data-trouble",String(!!trouble)),trouble?write(this.alert,text):this.alert.textContent&&write(this.alert,"")}speak({status,step,total,sentence}){let quarter=total?Math.floor(4*step/total):0,key=`${status} ${status==="running"?quarter:""}`;if(key===this.key)return;let first=this.key===void 0;this.key=key,!first&&write(this.polite,status==="running"&&quarter>0?`step ${steps(step)} of ${steps(total)}`:sentence)}};var SIGNS={good:"✓",early:"…",bad:"⚠"},Verdict=class{constructor(help){this.sign=element("span",{class:"verdict-sign","aria-hidden":"true"}),this.text=element("span",{class:"verdict-text",role:"status"}),this.when=element("span",{class:"at-step"}),this.root=element("div",{class:"clwork-verdict",tabindex:0,"aria-label":"verdict"},this.sign,this.text,this.when),help.on(this.root,()=>this.whole??"")}mark(step,shown,dim){markStep(this.root,step,dim&&step!==null),write(this.when,step===null||step===shown?"":`step ${steps(step)}`)}show(angles,verdict,newest,numbers2=null){let sign=newest&&verdict?verdict.sign:"none";attribute(this.root,"data-sign",sign),write(this.sign,SIGNS[sign]??""),write(this.text,angles);let told2=verdict?.signals.map(([label,value2])=>`${label} ${value2}`).join(" · ")??"",values=numbers2?.values.map(([label,value2])=>`${label} ${value2}`).join(" · ");this.whole=verdict?[`${verdict.headline} at step ${verdict.step}`,verdict.text,told2,values,numbers2?.about].filter(Boolean).join(`
`):""}};var STARTING={status:"starting",alive:!0,step:0,left:""},READY="Press Start to train; most controls can be moved during training.",Controls=class{constructor(page,help){Object.assign(this,{page,help,hot:null,refusal:""});let{about}=page,set=async(setting,value2)=>{let before=page.settings?.controls[setting]?.text,done=await page.act("set",{setting,value:value2});return done&&page.markSetting(setting,before),done?"":this.refusal},fields=new Map((about.fields??[]).map(field=>[field.name,field])),hooks={set,help,hot:(one2,on)=>this.light(on?one2:null),changed:()=>this.formula.refresh(),waits:late=>this.wait(late)};this.knobs=new Map([...fields].map(([name,field])=>[name,new SettingControl(field,hooks)])),this.toolbar=new Toolbar(about,{set,help,act:(name,more)=>this.act(name,more),setup:()=>this.sheet.toggle("setup","Encoder, corpus, preset",this.setup.root,this.setup.corpus.box)}),this.statusLine=this.toolbar.status,this.formula=new Formula(about.method??{},fields,{light:name=>this.light(name),control:name=>this.knobs.get(name)}),this.verdict=new Verdict(help),this.setup=new SetUp(about,{act:(...given)=>page.act(...given)});let main=(about.fields??[]).filter(field=>field.main).map(({name})=>this.knobs.get(name)),rest=[...this.knobs.values()].filter(knob=>!main.includes(knob));this.drawer=new Drawer([...this.toolbar.fields,...rest],this.toolbar.speed,words=>main.filter(knob=>knob.matches(words)).map(({field})=>field.title));let opener=(name,text,title,open)=>element("button",{class:`clwork-${name}`,type:"button",text,title,"aria-expanded":"false","aria-haspopup":"dialog",onclick:open});this.all=opener("all","All settings",`${rest.length} more, with a search; all settings as a text`,()=>this.openAll()),this.others=opener("compare","Compare","Show another run next to this one",()=>this.openCompare()),this.compare=new Compare(page),this.knobbed=element("div",{class:"knobs",role:"group","aria-label":"Controls"},...main.map(({root})=>root)),this.sheets=element("div",{class:"sheets"},this.all,this.others),this.sheet=new Dialog({all:this.all,compare:this.others,setup:this.toolbar.chip}),this.forced=new ForcesPanel(row=>page.choose(page.shared.ofRow[0][row])),this.createOwnField()}createOwnField(){let{page}=this;this.ownField=element("input",{class:"clwork-own",type:"text",maxlength:500,placeholder:"Type a sentence …","aria-label":"your own sentence in the cloud; Enter adds it, Enter in the empty field removes the last one",onkeydown:event=>event.key==="Enter"&&this.write()});let half=(kind,text)=>element("button",{type:"button",text,"aria-pressed":"false",onclick:()=>page.kind(kind)});this.halves={pca:half("pca","PCA"),umap:half("umap","UMAP")},this.kinds=element("div",{class:"switch kinds",role:"group","aria-label":"picture of the sentences"},...Object.values(this.halves)),this.help.on(this.kinds,()=>"PCA: two principal axes, fixed for the run. UMAP: a map of neighbours, computed from all probes so far. Its first use compiles for about a minute. Later each dot follows its nearest sentences; press UMAP again for a new map."),this.help.on(this.ownField,()=>"Shows your own sentences as dots, at most three. Enter adds one; Enter in the empty field removes the last one.")}write(){let text=this.ownField.value.trim(),texts=this.page.own.map(one2=>one2.text);this.page.act("typed",{texts:text?[...texts.filter(one2=>one2!==text),text]:texts.slice(0,-1)}),this.ownField.value=""}wait(late){this.waiting=late,this.page.layout.report()}openAll(focus=null){this.sheet.toggle("all","All settings",this.drawer.root,focus??this.drawer.search)}openCompare(){this.sheet.toggle("compare","Compare with",this.compare.root),this.sheet.name==="compare"&&this.compare.ask()}light(name){name!==this.hot&&(this.knobs.get(this.hot)?.root.removeAttribute("data-lit"),this.knobs.get(name)?.root.setAttribute("data-lit",""),this.hot=name,this.formula.light(name),this.formula.refresh())}take(news,found){news.state&&this.showState(news.state),news.settings&&this.showSettings(news.settings),news.comparable&&this.compare.list(news.comparable),(found.replaced||news.state)&&this.compare.mark()}showState(runState){runState.step!==this.step&&runState.alive&&this.toolbar.flash(),runState.status!==this.status&&(this.page.said=""),runState.status!==this.status&&this.sheet.name==="compare"&&this.compare.ask(),Object.assign(this,{step:runState.step,status:runState.status}),this.toolbar.show(this.starting?{...runState,...STARTING}:runState),this.statusLine.speak(runState)}showSettings(settings){for(let[name,knob]of this.knobs)settings.controls?.[name]&&knob.show(settings.controls[name]);this.setup.show(settings),this.drawer.show(settings),this.toolbar.set(settings,this.setup.words(settings)),this.formula.refresh()}get errors(){return[...this.knobs.values(),...this.toolbar.fields].map(knob=>knob.error).filter(Boolean)}pending(name){this.refusal="",!(name!=="start"&&name!=="step")&&(name==="step"&&this.page.runState?.alive||(this.starting=!0,this.toolbar.show({...this.page.runState,...STARTING}),this.statusLine.show("Starting …",!1)))}act(name,more){let{page,errors}=this;return!(name==="start"||name==="step"&&!page.runState?.alive)||!errors.length?page.act(name,more):(page.refuse(`It did not start. ${errors.join(" ")}`,name),Promise.resolve(!1))}settled(name){name!=="start"&&name!=="step"||(this.starting=!1,this.page.runState&&this.toolbar.show(this.page.runState))}refuse(why,name){this.refusal=why,name==="forces"&&this.forced.report(why)}report(silence,trouble){let{page}=this,{runState}=page;if(silence)return this.statusLine.show(silence,trouble);if(this.waiting)return this.statusLine.show("The change waits for the kernel, which runs another cell.",!1);if(page.said||page.picture.failure)return this.statusLine.show(page.said||page.picture.failure,!0);if(this.starting)return;let text=page.records[0].recorded&&runState?.status==="ready"&&!runState.trouble?`${page.about.method?.title??"It"} trains sentence vectors. This run is recorded; press Start for your own.`:runState?.sentence??READY;return this.statusLine.show(text,!!runState?.trouble)}forces(forces){let{page}=this;if(forces?.working||(page.strokes=forces?.pairs?strengths(forces):null),forces?.working||this.formula.fill(forces?.formula?.[1]??""),this.markForces(),!forces){this.sheet.name==="forces"&&this.sheet.close();return}(!forces.working||!page.strokes)&&this.forced.show(forces),forces.pairs&&!this.sheet.name&&this.openForces()}markForces(){let{picture,strokes}=this.page,numbers2=strokes?.step??null,dim=numbers2!==null&&picture.elsewhere(numbers2);this.formula.markNumbers(this.formula.filled?numbers2:null,picture.moment,dim&&!!this.formula.filled),this.forced.mark(numbers2,picture.moment,dim)}openForces(){let held=document.activeElement;this.sheet.toggle("forces","What pulls, what pushes",this.forced.root),held?.focus?.({preventScroll:!0})}drawn(){let{page}=this,[record]=page.records,step=page.step,newest=record.probeAt(step)===record.probes.length-1,probed=record.steps[record.probeAt(step)]??null,{moment}=page.picture;this.verdict.show(record.trend(step),record.verdict,newest,page.measurements),this.verdict.mark(record.trend(step)?probed:null,moment,!page.clock.playing&&page.picture.elsewhere(probed)),this.markForces();for(let[kind,half]of Object.entries(this.halves))attribute(half,"aria-pressed",String(page.view.kind===kind));let asked=!!page.umap?.working;write(this.halves.umap,asked?"UMAP …":"UMAP"),this.halves.umap.disabled=asked}keys(){return{s:()=>this.toolbar.press(),".":()=>this.toolbar.step.disabled||this.act("step"),"/":()=>this.sheet.name==="all"?this.drawer.search.focus():this.openAll(),t:()=>this.ownField.focus()}}escape(){let{sheet,statusLine}=this;return!sheet.name&&statusLine.opened?(statusLine.open(!1),!0):sheet.name?(sheet.name==="forces"&&this.page.choose(-1),sheet.close(),!0):!1}};var MOST=5,[LONG2,SHORT]=[40,22];function biggestMovers(count2,before,after){let moved=[];for(let row=0;row<count2;row++){let[was,now]=[before(row),after(row)];if(!was.length||!now.length||was[0]===now[0])continue;let fresh=now.filter(one2=>!was.includes(one2)).length,rank=now.indexOf(was[0]);moved.push({row,was:was[0],now:now[0],rank:rank<0?`>${now.length}`:rank+1,score:fresh+(rank<0?now.length:rank)})}return moved.sort((a,b)=>b.score-a.score).slice(0,MOST)}var Movers=class{constructor(choose){this.choose=choose,this.title=element("h3",{class:"movers-title"}),this.when=element("div",{class:"movers-when at-step"}),this.list=element("ol",{class:"movers-list"}),this.root=element("section",{class:"clwork-movers","aria-label":"biggest movers"},this.title,this.when,this.list)}show(runs,{groups,shared},step,shown,dark){let[one2,two]=runs,last=two??one2,[first,now]=[two?one2.record.probeAt(step):0,last.record.probeAt(step)],key=`${one2.record.id} ${last.record.id} ${first} ${now} ${dark} ${last.record.probes.length>0}`,ends=[first,now].map((probe,k)=>(k?last:one2).record.steps[probe]??0);key!==this.key&&this.fill(runs,{groups,shared},[first,now],ends,dark),this.key=key,markStep(this.root,this.list.childElementCount?ends[1]:null),write(this.when,two&&ends.some(end=>end!==shown)?`A at step ${steps(ends[0])}, B at step ${steps(ends[1])}`:"")}fill(runs,{groups,shared},[first,now],ends,dark){let[one2,two]=runs,sentences=(run,probe)=>sentence=>{let row=shared.rowOf[run][sentence];return row<0||row===void 0?[]:runs[run].record.near(probe,row).map(other=>shared.ofRow[run][other])},found=biggestMovers(shared.texts.length,sentences(0,first),sentences(two?1:0,now)),[from,to]=two?[`in ${one2.name}`,`in ${two.name}`]:ends.map(end=>`at step ${end}`);write(this.title,found.length?`Biggest movers: nearest ${from} → ${to}`:"Biggest movers: none yet");let neighbour=sentence=>element("span",{class:"mover-near",title:shared.texts[sentence]},marker(groups.of[sentence],dark),element("span",{text:cut(shared.texts[sentence],SHORT)}));this.list.replaceChildren(...found.map(({row,was,now:nearest,rank})=>element("li",{},element("button",{class:"mover",type:"button",title:shared.texts[row],onclick:()=>this.choose(row)},element("span",{class:"mover-text"},marker(groups.of[row],dark),element("span",{text:cut(shared.texts[row],LONG2)})),element("span",{class:"mover-change"},neighbour(was),element("span",{class:"mover-rank",title:"rank of the earlier nearest sentence now",text:`rank 1 → ${rank}`}),neighbour(nearest))))))}};var choice=(label,options,change)=>{let box=element("select",{"aria-label":label,title:label,onchange:()=>change(box.value)});return offer(box,options),box},Sidebar=class{constructor(legend,hooks){let axes2=()=>hooks.axes(Number(this.x.value),Number(this.y.value));this.kind=choice("what the picture shows",[["pca","PCA"]],hooks.kind),this.x=choice("axis to the right",[],axes2),this.y=choice("axis upwards",[],axes2),this.search=element("input",{class:"find",type:"search",placeholder:"find a sentence …","aria-label":"find a sentence; Enter chooses the next match",oninput:()=>hooks.find(this.search.value),onkeydown:event=>{event.key==="Enter"&&(event.preventDefault(),hooks.next())}});let field=(text,...parts)=>element("div",{class:"field"},element("span",{text}),...parts);this.root=element("div",{class:"dots"},field("view",this.kind),element("div",{class:"field pair"},this.x,this.y),this.search,legend.root)}offer(records){let[record]=records,axes2=Array.from({length:record.axes},(_,axis)=>[String(axis),record.shares[axis]===void 0?`axis ${axis+1}`:`axis ${axis+1} · ${percent(record.shares[axis])}`]);offer(this.x,axes2),offer(this.y,axes2)}show(view2,hasUmap){offer(this.kind,[["pca","PCA, one basis"],["umap",hasUmap?"UMAP, aligned":"UMAP: not recorded",!hasUmap]]),this.kind.value=view2.kind,this.x.value=String(view2.x),this.y.value=String(view2.y),this.x.parentElement.hidden=view2.kind==="umap",attribute(this.root,"data-kind",view2.kind)}},Legend=class{constructor(hooks){this.hooks=hooks,this.list=element("div",{class:"legend-list",role:"group","aria-label":"groups shown"}),this.all=element("button",{class:"small",type:"button",text:"Show all",onclick:hooks.all}),this.lift=element("button",{class:"small",type:"button",text:"Clear selection",title:"Clear the chosen sentences (Esc)",onclick:hooks.lift}),this.root=element("div",{class:"legend"},this.list,element("div",{class:"legend-foot"},this.all,this.lift))}show(groups,hidden,dark,chosen){let key=JSON.stringify([groups,dark]);key!==this.key&&(this.key=key,this.buttons=groups.map(({group,name,count:count2})=>element("button",{class:"group",type:"button",title:`${name}: ${counted(count2,"sentence")}. Click to hide or show, double-click for this one alone.`,onclick:()=>this.hooks.toggle(group),ondblclick:()=>this.hooks.only(group)},marker(group,dark),element("span",{class:"group-name",text:name}),element("span",{class:"group-count",text:String(count2)}))),this.list.replaceChildren(...this.buttons));for(let[i,{group}]of groups.entries())attribute(this.buttons[i],"aria-pressed",String(!hidden.has(group)));this.lift.disabled=!chosen,this.all.disabled=hidden.size===0}};function standing(record){return`${record.status==="shipped"||!record.status?"recorded":record.status}, ${steps(record.total)} steps`}var Titles=class{constructor(runs){this.lines=runs.map(({name,ink})=>({title:element("strong",{class:"run-title"}),stand:element("span",{class:"run-stand"}),key:runs.length>1?element("span",{class:"run-key",style:`background: ${ink}`,text:name}):""})),this.said=element("div",{class:"run-said",role:"status"}),this.root=element("div",{class:"clwork-titles"},element("div",{class:"runs"},...this.lines.map(({key,title,stand})=>element("span",{class:"run"},key,title,stand))),this.said)}show(runs){runs.forEach(({record},run)=>{let{title,stand}=this.lines[run],called=record.differs||record.title||record.method||record.name||"",method=called.startsWith(record.title??"")?"":record.title,seed=record.seed===null||called.includes("seed =")?"":`seed ${record.seed}`;write(title,called),write(stand,record.id?[method,record.name,seed,standing(record)].filter(Boolean).join(" · "):""),attribute(stand,"title",stand.textContent)})}report(text){write(this.said,text)}};var Layout=class{constructor(page){this.page=page,this.help=new Tooltip(page.root,"clwork-help",320),this.standing="answers",this.clouds=element("div",{class:"clouds"});let{curves,plane,transport,reading}=page.picture,right=element("div",{class:"right"},curves.root,plane.root);if(this.movers=new Movers(sentence=>page.choose(sentence)),page.panel){this.knobs=new Controls(page,this.help);let{toolbar,formula,knobbed,sheets,sheet,verdict}=this.knobs,tab=(name,text)=>element("button",{type:"button",text,"data-tab":name,"aria-pressed":"false",onclick:()=>this.tab(name)});this.tabs=element("div",{class:"switch tabs",role:"group","aria-label":"charts"},tab("curves","Curves"),tab("plane","Plane"));let side=element("div",{class:"side"},element("div",{class:"side-head"},this.tabs,sheets),right,element("div",{class:"below"},this.movers.root,sheet.root));this.root=element("div",{class:"stage"},toolbar.root,formula.root,knobbed,this.clouds,side,verdict.root,transport.root,reading.root),this.tab("curves")}else this.player(),this.root=element("div",{class:"stage","data-fits":!0},this.titles.root,this.dots.root,this.clouds,right,transport.root,reading.root,this.movers.root);this.arrange()}tab(name){let{curves,plane}=this.page.picture;curves.root.hidden=name!=="curves",plane.root.hidden=name!=="plane";for(let button of this.tabs.children)attribute(button,"aria-pressed",String(button.dataset.tab===name))}arrange(){let{knobs,page:{picture:{clouds,slots}}}=this,boxes=clouds.map((cloud,run)=>{let{name,ink}=slots[run],key=slots.length>1?element("span",{class:"run-key",style:`background: ${ink}`,text:name}):"",head=element("div",{class:"cloud-head"},key,knobs&&!run&&knobs.ownField||"",cloud.when,cloud.note,knobs&&run===slots.length-1&&knobs.kinds||"");return element("div",{class:"clwork-cloud"},cloud.root,head,knobs?"":cloud.trend)});this.clouds.replaceChildren(...boxes)}player(){let{page}=this,on=act2=>(...given)=>act2(page.selection,...given);this.legend=new Legend({toggle:on((selection,group)=>selection.toggle(group)),only:on((selection,group)=>selection.only(group)),all:on(selection=>selection.set({hidden:new Set})),lift:()=>page.choose(-1)}),this.dots=new Sidebar(this.legend,{axes:(x,y)=>page.turn({...page.view,x,y}),kind:kind=>page.kind(kind),find:on((selection,text)=>selection.set({query:text.trim().toLowerCase()})),next:on(selection=>selection.next())}),this.titles=new Titles(page.picture.slots)}begin(){let{page}=this;this.arrange(),this.dots?.offer(page.records)}take(news,found){this.knobs?.take(news,found),this.titles?.show(this.page.picture.shown()),this.report()}drawn(runs,step){let{page}=this,{selection,dark,picture}=page;picture.part("controls",()=>{this.dots?.show(page.view,page.hasUmap),this.knobs?.drawn(runs),this.legend?.show(selection.groups.groups,selection.hidden,dark,selection.chosen.length>0)}),picture.part("movers",()=>this.movers.show(runs,selection,step,picture.moment,dark))}stand(state,since){Object.assign(this,{standing:state,since}),attribute(this.page.root,"data-line",state),clearTimeout(this.later),state==="silent"&&(this.later=setTimeout(()=>this.report(),31e3)),this.report()}silence(){let{page}=this,[record]=page.records,alive=page.runState?page.runState.alive:record.alive;return this.standing==="gone"?[lost(record.recorded||!record.id?"":record.id,alive),!0]:this.standing==="unanswered"&&page.runState?[`${page.runState.sentence}${unanswered(this.since)}`,!!page.runState.trouble]:this.standing==="silent"&&(alive||isTrouble(this.since))?[silent(this.since,Math.max(page.runState?.step??0,record.last)),isTrouble(this.since)]:["",!1]}report(){let{page}=this,[text,trouble]=this.silence();page.root.toggleAttribute("data-ready",page.records[0].recorded&&!page.runState?.alive&&page.records.length===1),this.knobs?this.knobs.report(text,trouble):this.titles?.report(page.said||page.picture.failure)}escape(){let{page}=this;page.picture.askToEnd(!1)||this.knobs?.escape()||(page.selection.pinned!==null?page.selection.pin(page.selection.pinned):page.selection.chosen.length||page.forces?page.choose(-1):page.now===!1&&page.toNow())}};function ascending(a,b){return a==null||b==null?NaN:a<b?-1:a>b?1:a>=b?0:NaN}function descending(a,b){return a==null||b==null?NaN:b<a?-1:b>a?1:b>=a?0:NaN}function bisector(f){let compare1,compare2,delta;f.length!==2?(compare1=ascending,compare2=(d,x)=>ascending(f(d),x),delta=(d,x)=>f(d)-x):(compare1=f===ascending||f===descending?f:zero,compare2=f,delta=f);function left(a,x,lo=0,hi=a.length){if(lo<hi){if(compare1(x,x)!==0)return hi;do{let mid=lo+hi>>>1;compare2(a[mid],x)<0?lo=mid+1:hi=mid}while(lo<hi)}return lo}function right(a,x,lo=0,hi=a.length){if(lo<hi){if(compare1(x,x)!==0)return hi;do{let mid=lo+hi>>>1;compare2(a[mid],x)<=0?lo=mid+1:hi=mid}while(lo<hi)}return lo}function center(a,x,lo=0,hi=a.length){let i=left(a,x,lo,hi-1);return i>lo&&delta(a[i-1],x)>-delta(a[i],x)?i-1:i}return{left,center,right}}function zero(){return 0}function number(x){return x===null?NaN:+x}function*numbers(values,valueof){if(valueof===void 0)for(let value2 of values)value2!=null&&(value2=+value2)>=value2&&(yield value2);else{let index=-1;for(let value2 of values)(value2=valueof(value2,++index,values))!=null&&(value2=+value2)>=value2&&(yield value2)}}var ascendingBisect=bisector(ascending),bisectRight=ascendingBisect.right,bisectLeft=ascendingBisect.left,bisectCenter=bisector(number).center;var blur2=Blur2(blurf),blurImage=Blur2(blurfImage);function Blur2(blur){return function(data,rx,ry=rx){if(!((rx=+rx)>=0))throw new RangeError("invalid rx");if(!((ry=+ry)>=0))throw new RangeError("invalid ry");let{data:values,width:width2,height}=data;if(!((width2=Math.floor(width2))>=0))throw new RangeError("invalid width");if(!((height=Math.floor(height!==void 0?height:values.length/width2))>=0))throw new RangeError("invalid height");if(!width2||!height||!rx&&!ry)return data;let blurx=rx&&blur(rx),blury=ry&&blur(ry),temp=values.slice();return blurx&&blury?(blurh(blurx,temp,values,width2,height),blurh(blurx,values,temp,width2,height),blurh(blurx,temp,values,width2,height),blurv(blury,values,temp,width2,height),blurv(blury,temp,values,width2,height),blurv(blury,values,temp,width2,height)):blurx?(blurh(blurx,values,temp,width2,height),blurh(blurx,temp,values,width2,height),blurh(blurx,values,temp,width2,height)):blury&&(blurv(blury,values,temp,width2,height),blurv(blury,temp,values,width2,height),blurv(blury,values,temp,width2,height)),data}}function blurh(blur,T,S,w,h){for(let y=0,n=w*h;y<n;)blur(T,S,y,y+=w,1)}function blurv(blur,T,S,w,h){for(let x=0,n=w*h;x<w;++x)blur(T,S,x,x+n,w)}function blurfImage(radius){let blur=blurf(radius);return(T,S,start,stop,step)=>{start<<=2,stop<<=2,step<<=2,blur(T,S,start+0,stop+0,step),blur(T,S,start+1,stop+1,step),blur(T,S,start+2,stop+2,step),blur(T,S,start+3,stop+3,step)}}function blurf(radius){let radius0=Math.floor(radius);if(radius0===radius)return bluri(radius);let t=radius-radius0,w=2*radius+1;return(T,S,start,stop,step)=>{if(!((stop-=step)>=start))return;let sum=radius0*S[start],s0=step*radius0,s1=s0+step;for(let i=start,j=start+s0;i<j;i+=step)sum+=S[Math.min(stop,i)];for(let i=start,j=stop;i<=j;i+=step)sum+=S[Math.min(stop,i+s0)],T[i]=(sum+t*(S[Math.max(start,i-s1)]+S[Math.min(stop,i+s1)]))/w,sum-=S[Math.max(start,i-s0)]}}function bluri(radius){let w=2*radius+1;return(T,S,start,stop,step)=>{if(!((stop-=step)>=start))return;let sum=radius*S[start],s=step*radius;for(let i=start,j=start+s;i<j;i+=step)sum+=S[Math.min(stop,i)];for(let i=start,j=stop;i<=j;i+=step)sum+=S[Math.min(stop,i+s)],T[i]=sum/w,sum-=S[Math.max(start,i-s)]}}function variance(values,valueof){let count2=0,delta,mean=0,sum=0;if(valueof===void 0)for(let value2 of values)value2!=null&&(value2=+value2)>=value2&&(delta=value2-mean,mean+=delta/++count2,sum+=delta*(value2-mean));else{let index=-1;for(let value2 of values)(value2=valueof(value2,++index,values))!=null&&(value2=+value2)>=value2&&(delta=value2-mean,mean+=delta/++count2,sum+=delta*(value2-mean))}if(count2>1)return sum/(count2-1)}function compareDefined(compare=ascending){if(compare===ascending)return ascendingDefined;if(typeof compare!="function")throw new TypeError("compare is not a function");return(a,b)=>{let x=compare(a,b);return x||x===0?x:(compare(b,b)===0)-(compare(a,a)===0)}}function ascendingDefined(a,b){return(a==null||!(a>=a))-(b==null||!(b>=b))||(a<b?-1:a>b?1:0)}var array=Array.prototype,slice=array.slice;var e10=Math.sqrt(50),e5=Math.sqrt(10),e2=Math.sqrt(2);function tickSpec(start,stop,count2){let step=(stop-start)/Math.max(0,count2),power=Math.floor(Math.log10(step)),error=step/Math.pow(10,power),factor=error>=e10?10:error>=e5?5:error>=e2?2:1,i1,i2,inc;return power<0?(inc=Math.pow(10,-power)/factor,i1=Math.round(start*inc),i2=Math.round(stop*inc),i1/inc<start&&++i1,i2/inc>stop&&--i2,inc=-inc):(inc=Math.pow(10,power)*factor,i1=Math.round(start/inc),i2=Math.round(stop/inc),i1*inc<start&&++i1,i2*inc>stop&&--i2),i2<i1&&.5<=count2&&count2<2?tickSpec(start,stop,count2*2):[i1,i2,inc]}function ticks(start,stop,count2){if(stop=+stop,start=+start,count2=+count2,!(count2>0))return[];if(start===stop)return[start];let reverse=stop<start,[i1,i2,inc]=reverse?tickSpec(stop,start,count2):tickSpec(start,stop,count2);if(!(i2>=i1))return[];let n=i2-i1+1,ticks2=new Array(n);if(reverse)if(inc<0)for(let i=0;i<n;++i)ticks2[i]=(i2-i)/-inc;else for(let i=0;i<n;++i)ticks2[i]=(i2-i)*inc;else if(inc<0)for(let i=0;i<n;++i)ticks2[i]=(i1+i)/-inc;else for(let i=0;i<n;++i)ticks2[i]=(i1+i)*inc;return ticks2}function tickIncrement(start,stop,count2){return stop=+stop,start=+start,count2=+count2,tickSpec(start,stop,count2)[2]}function tickStep(start,stop,count2){stop=+stop,start=+start,count2=+count2;let reverse=stop<start,inc=reverse?tickIncrement(stop,start,count2):tickIncrement(start,stop,count2);return(reverse?-1:1)*(inc<0?1/-inc:inc)}function max(values,valueof){let max2;if(valueof===void 0)for(let value2 of values)value2!=null&&(max2<value2||max2===void 0&&value2>=value2)&&(max2=value2);else{let index=-1;for(let value2 of values)(value2=valueof(value2,++index,values))!=null&&(max2<value2||max2===void 0&&value2>=value2)&&(max2=value2)}return max2}function min(values,valueof){let min2;if(valueof===void 0)for(let value2 of values)value2!=null&&(min2>value2||min2===void 0&&value2>=value2)&&(min2=value2);else{let index=-1;for(let value2 of values)(value2=valueof(value2,++index,values))!=null&&(min2>value2||min2===void 0&&value2>=value2)&&(min2=value2)}return min2}function quickselect(array2,k,left=0,right=1/0,compare){if(k=Math.floor(k),left=Math.floor(Math.max(0,left)),right=Math.floor(Math.min(array2.length-1,right)),!(left<=k&&k<=right))return array2;for(compare=compare===void 0?ascendingDefined:compareDefined(compare);right>left;){if(right-left>600){let n=right-left+1,m=k-left+1,z=Math.log(n),s=.5*Math.exp(2*z/3),sd=.5*Math.sqrt(z*s*(n-s)/n)*(m-n/2<0?-1:1),newLeft=Math.max(left,Math.floor(k-m*s/n+sd)),newRight=Math.min(right,Math.floor(k+(n-m)*s/n+sd));quickselect(array2,k,newLeft,newRight,compare)}let t=array2[k],i=left,j=right;for(swap(array2,left,k),compare(array2[right],t)>0&&swap(array2,left,right);i<j;){for(swap(array2,i,j),++i,--j;compare(array2[i],t)<0;)++i;for(;compare(array2[j],t)>0;)--j}compare(array2[left],t)===0?swap(array2,left,j):(++j,swap(array2,j,right)),j<=k&&(left=j+1),k<=j&&(right=j-1)}return array2}function swap(array2,i,j){let t=array2[i];array2[i]=array2[j],array2[j]=t}function quantile(values,p,valueof){if(values=Float64Array.from(numbers(values,valueof)),!(!(n=values.length)||isNaN(p=+p))){if(p<=0||n<2)return min(values);if(p>=1)return max(values);var n,i=(n-1)*p,i0=Math.floor(i),value0=max(quickselect(values,i0).subarray(0,i0+1)),value1=min(values.subarray(i0+1));return value0+(value1-value0)*(i-i0)}}function median(values,valueof){return quantile(values,.5,valueof)}var shuffle=shuffler(Math.random);function shuffler(random){return function(array2,i0=0,i1=array2.length){let m=i1-(i0=+i0);for(;m;){let i=random()*m--|0,t=array2[m+i0];array2[m+i0]=array2[i+i0],array2[i+i0]=t}return array2}}var ARROWS={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]};function penOf(canvas,width2,height){let ratio=globalThis.devicePixelRatio||1,size=[Math.round(width2*ratio),Math.round(height*ratio)];(canvas.width!==size[0]||canvas.height!==size[1])&&([canvas.width,canvas.height]=size);let pen=canvas.getContext("2d");return pen.setTransform(ratio,0,0,ratio,0,0),pen.clearRect(0,0,width2,height),pen}function placement([left,right,low,high],width2,height,{side,top=side,bottom=side},stretch=1){let wide=(width2-2*side)/Math.max(right-left,.02),tall=(height-top-bottom)/Math.max(high-low,.02),[across,up]=[Math.min(wide,stretch*tall),Math.min(tall,stretch*wide)],[x0,y0]=[width2/2-across*(left+right)/2,(top+height-bottom)/2+up*(low+high)/2];return(x,y)=>[x0+across*x,y0-up*y]}function nearestDot(dots,x,y,reach=1/0){let[best,least]=[-1,reach**2];for(let[row,[px,py]]of dots){let gap=(px-x)**2+(py-y)**2;gap<least&&([best,least]=[row,gap])}return best}function nextDot(dots,[x,y],{key}){if(!ARROWS[key])return null;let[dx,dy]=ARROWS[key],[best,least]=[-1,1/0];for(let[row,[px,py]]of dots){let along=(px-x)*dx+(py-y)*dy,across=Math.abs((px-x)*dy)+Math.abs((py-y)*dx);along>.01&&across<=2*along&&along+2*across<least&&([best,least]=[row,along+2*across])}return best}var RADIUS=4,LONGEST2=32,FAINT=.4,STRONGEST=8,Painter=class{constructor(cloud){this.cloud=cloud,this.pen=cloud.canvas.getContext("2d"),this.sprites=new Map}paint(place){let{cloud}=this,{canvas,width:width2,height,scene:scene2}=cloud;penOf(canvas,width2,height),this.dense=globalThis.devicePixelRatio||1;let count2=cloud.at.length/2;this.tails(place,scene2,count2),this.tracks(place,scene2),this.links(scene2),this.dots(scene2,count2),this.marks(scene2),scene2.forces&&this.forces(scene2),this.ownDots(scene2),this.leaders(scene2),this.labels(scene2)}at(row){return[this.cloud.at[2*row],this.cloud.at[2*row+1]]}line(from,to){this.pen.beginPath(),this.pen.moveTo(...from),this.pen.lineTo(...to),this.pen.stroke()}tails(place,scene2,count2){if(!scene2.before)return;let{pen}=this;pen.lineWidth=1.5,pen.globalAlpha=.35;let byGroup=new Map;for(let row=0;row<count2;row++){if(scene2.hidden(row)||scene2.faint(row))continue;let group=scene2.group(row);byGroup.has(group)||byGroup.set(group,new Path2D),byGroup.get(group).moveTo(...place(scene2.before[2*row],scene2.before[2*row+1])),byGroup.get(group).lineTo(...this.at(row))}for(let[group,path]of byGroup)pen.strokeStyle=colour(group,scene2.dark),pen.stroke(path);pen.globalAlpha=1}tracks(place,scene2){let{pen}=this;pen.lineJoin=pen.lineCap="round";for(let[row,way]of scene2.tracks){let points=[...way.map(([x,y])=>place(x,y)),this.at(row)];pen.strokeStyle=colour(scene2.group(row),scene2.dark),pen.lineWidth=2.5;for(let i=1;i<points.length;i++)pen.globalAlpha=.25+.65*i/points.length,this.line(points[i-1],points[i]);pen.globalAlpha=1,pen.lineWidth=1.5,pen.beginPath(),pen.arc(...points[0],4,0,2*Math.PI),pen.stroke()}}links(scene2){let row=scene2.chosen.at(-1);if(!(row===void 0||scene2.forces)){this.pen.strokeStyle=scene2.inks.ink,this.pen.globalAlpha=.55,this.pen.lineWidth=1;for(let other of scene2.near)this.line(this.at(row),this.at(other));this.pen.globalAlpha=1}}dots(scene2,count2){let{pen,cloud}=this,above=new Set([...scene2.near,...scene2.chosen].filter(row=>!scene2.hidden(row))),alpha=row=>scene2.faint(row)?.2:.92,dot=(row,size,opacity)=>{let sprite=this.sprite(scene2.group(row),size,scene2),half=sprite.width/this.dense/2;pen.globalAlpha=opacity,pen.drawImage(sprite,cloud.at[2*row]-half,cloud.at[2*row+1]-half,2*half,2*half)};for(let others of[!0,!1])for(let row=0;row<count2;row++)scene2.group(row)<0===others&&!scene2.hidden(row)&&dot(row,RADIUS,alpha(row));for(let row of above)dot(row,RADIUS+1.5,1);scene2.hover>=0&&!scene2.hidden(scene2.hover)&&dot(scene2.hover,7,1),pen.globalAlpha=1}sprite(group,size,{dark,inks}){let key=`${group} ${size} ${dark} ${inks.ground} ${this.dense}`;if(!this.sprites.has(key)){let half=Math.ceil(1.4*size+2),made=document.createElement("canvas");made.width=made.height=Math.round(2*half*this.dense);let pen=made.getContext("2d");pen.setTransform(this.dense*size,0,0,this.dense*size,half*this.dense,half*this.dense);let path=new Path2D(outline(group));pen.lineWidth=1.5/size,pen.strokeStyle=inks.ground,pen.fillStyle=colour(group,dark),pen.stroke(path),pen.fill(path),this.sprites.set(key,made)}return this.sprites.get(key)}marks(scene2){let{pen}=this,ring=(row,size,width2,ink,dash=[])=>{row<0||scene2.hidden(row)||(pen.strokeStyle=ink,pen.lineWidth=width2,pen.setLineDash(dash),pen.beginPath(),pen.arc(...this.at(row),size,0,2*Math.PI),pen.stroke(),pen.setLineDash([]))};for(let row of scene2.nearAtFirst)ring(row,RADIUS+5,1.2,scene2.inks.ink,[3,3]);for(let row of scene2.near)ring(row,RADIUS+3,1.2,scene2.inks.ink);for(let row of scene2.chosen)ring(row,8,2.5,scene2.inks.accent);ring(scene2.hover,9,2,scene2.inks.ink)}forces({forces:{row,pull,push},inks,dimmed}){let{pen}=this;pen.globalAlpha=dimmed?FAINT:1;let strongest=list=>[...list].sort((a,b)=>b[1]-a[1]).slice(0,STRONGEST),most=Math.max(1e-12,...[...pull,...push].map(([,strength])=>strength)),draw=(list,ink,dash,toward)=>{pen.strokeStyle=pen.fillStyle=ink,pen.setLineDash(dash);for(let[other,strength]of strongest(list))pen.lineWidth=1+3*strength/most,this.line(this.at(row),this.at(other)),pen.setLineDash([]),toward?this.arrow(this.at(other),this.at(row)):this.arrow(this.at(row),this.at(other)),pen.setLineDash(dash);pen.setLineDash([])};draw(push,inks.ink,[5,4],!1),draw(pull,inks.accent,[],!0),pen.globalAlpha=1}arrow([x0,y0],[x1,y1]){let[x,y]=[x0+.6*(x1-x0),y0+.6*(y1-y0)],turn=Math.atan2(y1-y0,x1-x0);this.pen.save(),this.pen.translate(x,y),this.pen.rotate(turn),this.pen.fill(new Path2D("M6 0L-4 4.5V-4.5Z")),this.pen.restore()}ownDots({own,inks}){let{pen,cloud}=this;own.forEach(({dimmed},place)=>{pen.globalAlpha=dimmed?FAINT:1,pen.beginPath(),pen.arc(...cloud.own[place],8,0,2*Math.PI),pen.fillStyle=inks.ground,pen.fill(),pen.lineWidth=3,pen.strokeStyle=inks.accent,pen.stroke(),pen.beginPath(),pen.arc(...cloud.own[place],3,0,2*Math.PI),pen.fillStyle=inks.accent,pen.fill()}),pen.globalAlpha=1}leaders({inks}){this.pen.strokeStyle=inks.soft,this.pen.lineWidth=1;for(let{from,to}of this.cloud.topics.leaders())this.line(from,to)}labels(scene2){let{pen,cloud}=this;pen.font="12px system-ui, sans-serif",pen.textBaseline="middle";let all=[...(scene2.chosen.length>1?scene2.chosen.filter(row=>!scene2.hidden(row)):[]).map(row=>[scene2.text(row),this.at(row)]),...scene2.own.map(({text,told:told2},place)=>[text,cloud.own[place],told2])];for(let[text,[left,top],told2=""]of all){let words=cut(text,LONGEST2)+told2,wide=pen.measureText(words).width+8,x=left+13+wide>cloud.width?left-13-wide:left+13,y=Math.max(44,Math.min(cloud.height-20,top-9));pen.globalAlpha=.85,pen.fillStyle=scene2.inks.ground,pen.fillRect(x,y,wide,18),pen.globalAlpha=1,pen.fillStyle=scene2.inks.ink,pen.fillText(words,x+4,y+9.5)}}};var REACH=14,MARGIN={side:20,top:44,bottom:24},STRETCH=2.5,Cloud=class{constructor(hooks){this.canvas=element("canvas",{class:"cloud-canvas",tabindex:0,role:"img"}),this.topics=new Topics(hooks),this.root=element("div",{class:"cloud-frame"},this.canvas,this.topics.root),this.hooks=hooks,this.at=new Float32Array(0),this.own=[],this.scene=null,this.painter=new Painter(this),this.width=this.height=0,this.listen(),onResize(this.root,(width2,height)=>{Object.assign(this,{width:width2,height}),hooks.resized()})}listen(){let{canvas,hooks}=this;canvas.addEventListener("pointermove",event=>hooks.hover(this.under(event))),canvas.addEventListener("pointerleave",()=>hooks.hover(-1)),canvas.addEventListener("click",event=>hooks.choose(this.under(event),event.shiftKey||event.ctrlKey||event.metaKey)),canvas.addEventListener("keydown",event=>{hooks.key(event)&&consume(event)})}under({offsetX,offsetY}){return nearestDot(this.dots(),offsetX,offsetY,REACH)}*dots(){for(let row=0;row<this.at.length/2;row++)this.scene?.hidden(row)||(yield[row,[this.at[2*row],this.at[2*row+1]]])}next(row,event){let from=row<0?[this.width/2,this.height/2]:[this.at[2*row],this.at[2*row+1]],next=nextDot(this.dots(),from,event);return next===null?null:row<0?nearestDot(this.dots(),...from):next<0?row:next}draw(scene2){if(this.scene=scene2,this.width<20||this.height<20)return;let place=placement(scene2.box,this.width,this.height,scene2.read?{...MARGIN,bottom:60}:MARGIN,STRETCH);this.at.length!==scene2.xy.length&&(this.at=new Float32Array(scene2.xy.length));for(let i=0;i<scene2.xy.length;i+=2)this.at.set(place(scene2.xy[i],scene2.xy[i+1]),i);this.own=scene2.own.map(({x,y})=>place(x,y)),this.topics.lay(this),this.painter.paint(place),attribute(this.canvas,"aria-label",scene2.label)}},MOST2=12,HIGH=20,PLACES=[[0,0],[0,-12],[0,12],[0,-24],[0,24],[-24,0],[24,0],[-20,-18],[20,-18],[-20,18],[20,18]],LONGEST3=22,ENOUGH=2e3,measure=document.createElement("canvas").getContext("2d");function width(text){return measure.font="600 15px system-ui, sans-serif",measure.measureText(text).width+24}var Topics=class{constructor(hooks){this.hooks=hooks,this.root=element("div",{class:"topics",role:"group","aria-label":"topics"}),this.root.addEventListener("keydown",event=>this.walk(event)),this.shown=[],this.key=""}make({names,dark}){let key=JSON.stringify([names,dark]);if(key===this.key)return;this.key=key;let largest=[...names].filter(({group})=>group>=0&&names.length>1).sort((a,b)=>b.count-a.count).slice(0,MOST2);this.shown=largest.map(({group,name},place)=>{let text=cut(name,LONGEST3),{light,pin}=this.hooks,button=element("button",{class:"topic",type:"button",title:name,tabindex:place?-1:0,"aria-pressed":"false",onpointerenter:()=>light(group),onpointerleave:()=>light(null),onfocus:()=>light(group),onblur:()=>light(null),onclick:()=>pin(group)},marker(group,dark),element("span",{text}));return{group,button,wide:width(text),middle:[0,0],moved:[0,0],out:!0}}),this.root.replaceChildren(...this.shown.map(({button})=>button))}lay(cloud){let{scene:scene2}=cloud;this.make(scene2),this.middles(cloud),this.part(cloud);for(let one2 of this.shown){let{button,middle:middle2,moved,wide,out,group}=one2;one2.at=[clamp(middle2[0]+moved[0]-wide/2,4,cloud.width-wide-4),clamp(middle2[1]+moved[1]-HIGH/2,44,cloud.height-HIGH-4)],button.style.transform=`translate(${one2.at[0].toFixed(1)}px,${one2.at[1].toFixed(1)}px)`,attribute(button,"data-out",String(out&&scene2.lit!==group)),attribute(button,"aria-pressed",String(scene2.pinned===group)),attribute(button,"data-dim",String(scene2.lit!==null&&scene2.lit!==group))}}middles({at,scene:scene2}){let[xs,ys]=[new Map,new Map];for(let{group}of this.shown)xs.set(group,[]),ys.set(group,[]);let every=Math.ceil(at.length/2/ENOUGH);for(let row=0;row<at.length/2;row+=every){let group=scene2.group(row);!xs.has(group)||scene2.hidden(row)||(xs.get(group).push(at[2*row]),ys.get(group).push(at[2*row+1]))}for(let one2 of this.shown)one2.there=xs.get(one2.group).length>0,one2.there&&(one2.middle=[median(xs.get(one2.group)),median(ys.get(one2.group))])}part(cloud){let taken=[];for(let one2 of this.shown){let boxAt=([dx,dy])=>{let x=clamp(one2.middle[0]+dx-one2.wide/2,4,cloud.width-one2.wide-4),y=clamp(one2.middle[1]+dy-HIGH/2,44,cloud.height-HIGH-4);return[x,y,x+one2.wide,y+HIGH]},free=[one2.moved,...PLACES].find(place=>!taken.some(box=>cover(box,boxAt(place))));one2.out=!one2.there||!free,one2.moved=free??[0,0],one2.out||taken.push(boxAt(one2.moved))}}leaders(){return this.shown.filter(({out,moved})=>!out&&Math.hypot(...moved)>HIGH/2+4).map(({at,wide,middle:middle2})=>({from:middle2,to:[clamp(middle2[0],at[0],at[0]+wide),clamp(middle2[1],at[1],at[1]+HIGH)]}))}walk(event){let way={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1}[event.key],buttons=this.shown.filter(({out})=>!out).map(({button})=>button);if(!way||!buttons.length)return;let next=buttons[(buttons.indexOf(document.activeElement)+way+buttons.length)%buttons.length];for(let{button}of this.shown)button.tabIndex=button===next?0:-1;next.focus(),consume(event)}},clamp=(value2,low,high)=>Math.max(low,Math.min(Math.max(low,high),value2)),cover=(a,b)=>a[0]<b[2]&&b[0]<a[2]&&a[1]<b[3]&&b[1]<a[3];function initRange(domain,range2){switch(arguments.length){case 0:break;case 1:this.range(domain);break;default:this.range(range2).domain(domain);break}return this}function define(constructor,factory,prototype){constructor.prototype=factory.prototype=prototype,prototype.constructor=constructor}function extend(parent,definition){var prototype=Object.create(parent.prototype);for(var key in definition)prototype[key]=definition[key];return prototype}function Color(){}var darker=.7,brighter=1/darker,reI="\\s*([+-]?\\d+)\\s*",reN="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",reP="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*",reHex=/^#([0-9a-f]{3,8})$/,reRgbInteger=new RegExp(`^rgb\\(${reI},${reI},${reI}\\)$`),reRgbPercent=new RegExp(`^rgb\\(${reP},${reP},${reP}\\)$`),reRgbaInteger=new RegExp(`^rgba\\(${reI},${reI},${reI},${reN}\\)$`),reRgbaPercent=new RegExp(`^rgba\\(${reP},${reP},${reP},${reN}\\)$`),reHslPercent=new RegExp(`^hsl\\(${reN},${reP},${reP}\\)$`),reHslaPercent=new RegExp(`^hsla\\(${reN},${reP},${reP},${reN}\\)$`),named={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074};define(Color,color,{copy(channels){return Object.assign(new this.constructor,this,channels)},displayable(){return this.rgb().displayable()},hex:color_formatHex,formatHex:color_formatHex,formatHex8:color_formatHex8,formatHsl:color_formatHsl,formatRgb:color_formatRgb,toString:color_formatRgb});function color_formatHex(){return this.rgb().formatHex()}function color_formatHex8(){return this.rgb().formatHex8()}function color_formatHsl(){return hslConvert(this).formatHsl()}function color_formatRgb(){return this.rgb().formatRgb()}function color(format2){var m,l;return format2=(format2+"").trim().toLowerCase(),(m=reHex.exec(format2))?(l=m[1].length,m=parseInt(m[1],16),l===6?rgbn(m):l===3?new Rgb(m>>8&15|m>>4&240,m>>4&15|m&240,(m&15)<<4|m&15,1):l===8?rgba(m>>24&255,m>>16&255,m>>8&255,(m&255)/255):l===4?rgba(m>>12&15|m>>8&240,m>>8&15|m>>4&240,m>>4&15|m&240,((m&15)<<4|m&15)/255):null):(m=reRgbInteger.exec(format2))?new Rgb(m[1],m[2],m[3],1):(m=reRgbPercent.exec(format2))?new Rgb(m[1]*255/100,m[2]*255/100,m[3]*255/100,1):(m=reRgbaInteger.exec(format2))?rgba(m[1],m[2],m[3],m[4]):(m=reRgbaPercent.exec(format2))?rgba(m[1]*255/100,m[2]*255/100,m[3]*255/100,m[4]):(m=reHslPercent.exec(format2))?hsla(m[1],m[2]/100,m[3]/100,1):(m=reHslaPercent.exec(format2))?hsla(m[1],m[2]/100,m[3]/100,m[4]):named.hasOwnProperty(format2)?rgbn(named[format2]):format2==="transparent"?new Rgb(NaN,NaN,NaN,0):null}function rgbn(n){return new Rgb(n>>16&255,n>>8&255,n&255,1)}function rgba(r,g,b,a){return a<=0&&(r=g=b=NaN),new Rgb(r,g,b,a)}function rgbConvert(o){return o instanceof Color||(o=color(o)),o?(o=o.rgb(),new Rgb(o.r,o.g,o.b,o.opacity)):new Rgb}function rgb(r,g,b,opacity){return arguments.length===1?rgbConvert(r):new Rgb(r,g,b,opacity??1)}function Rgb(r,g,b,opacity){this.r=+r,this.g=+g,this.b=+b,this.opacity=+opacity}define(Rgb,rgb,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Rgb(this.r*k,this.g*k,this.b*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Rgb(this.r*k,this.g*k,this.b*k,this.opacity)},rgb(){return this},clamp(){return new Rgb(clampi(this.r),clampi(this.g),clampi(this.b),clampa(this.opacity))},displayable(){return-.5<=this.r&&this.r<255.5&&-.5<=this.g&&this.g<255.5&&-.5<=this.b&&this.b<255.5&&0<=this.opacity&&this.opacity<=1},hex:rgb_formatHex,formatHex:rgb_formatHex,formatHex8:rgb_formatHex8,formatRgb:rgb_formatRgb,toString:rgb_formatRgb}));function rgb_formatHex(){return`#${hex(this.r)}${hex(this.g)}${hex(this.b)}`}function rgb_formatHex8(){return`#${hex(this.r)}${hex(this.g)}${hex(this.b)}${hex((isNaN(this.opacity)?1:this.opacity)*255)}`}function rgb_formatRgb(){let a=clampa(this.opacity);return`${a===1?"rgb(":"rgba("}${clampi(this.r)}, ${clampi(this.g)}, ${clampi(this.b)}${a===1?")":`, ${a})`}`}function clampa(opacity){return isNaN(opacity)?1:Math.max(0,Math.min(1,opacity))}function clampi(value2){return Math.max(0,Math.min(255,Math.round(value2)||0))}function hex(value2){return value2=clampi(value2),(value2<16?"0":"")+value2.toString(16)}function hsla(h,s,l,a){return a<=0?h=s=l=NaN:l<=0||l>=1?h=s=NaN:s<=0&&(h=NaN),new Hsl(h,s,l,a)}function hslConvert(o){if(o instanceof Hsl)return new Hsl(o.h,o.s,o.l,o.opacity);if(o instanceof Color||(o=color(o)),!o)return new Hsl;if(o instanceof Hsl)return o;o=o.rgb();var r=o.r/255,g=o.g/255,b=o.b/255,min2=Math.min(r,g,b),max2=Math.max(r,g,b),h=NaN,s=max2-min2,l=(max2+min2)/2;return s?(r===max2?h=(g-b)/s+(g<b)*6:g===max2?h=(b-r)/s+2:h=(r-g)/s+4,s/=l<.5?max2+min2:2-max2-min2,h*=60):s=l>0&&l<1?0:h,new Hsl(h,s,l,o.opacity)}function hsl(h,s,l,opacity){return arguments.length===1?hslConvert(h):new Hsl(h,s,l,opacity??1)}function Hsl(h,s,l,opacity){this.h=+h,this.s=+s,this.l=+l,this.opacity=+opacity}define(Hsl,hsl,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Hsl(this.h,this.s,this.l*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Hsl(this.h,this.s,this.l*k,this.opacity)},rgb(){var h=this.h%360+(this.h<0)*360,s=isNaN(h)||isNaN(this.s)?0:this.s,l=this.l,m2=l+(l<.5?l:1-l)*s,m1=2*l-m2;return new Rgb(hsl2rgb(h>=240?h-240:h+120,m1,m2),hsl2rgb(h,m1,m2),hsl2rgb(h<120?h+240:h-120,m1,m2),this.opacity)},clamp(){return new Hsl(clamph(this.h),clampt(this.s),clampt(this.l),clampa(this.opacity))},displayable(){return(0<=this.s&&this.s<=1||isNaN(this.s))&&0<=this.l&&this.l<=1&&0<=this.opacity&&this.opacity<=1},formatHsl(){let a=clampa(this.opacity);return`${a===1?"hsl(":"hsla("}${clamph(this.h)}, ${clampt(this.s)*100}%, ${clampt(this.l)*100}%${a===1?")":`, ${a})`}`}}));function clamph(value2){return value2=(value2||0)%360,value2<0?value2+360:value2}function clampt(value2){return Math.max(0,Math.min(1,value2||0))}function hsl2rgb(h,m1,m2){return(h<60?m1+(m2-m1)*h/60:h<180?m2:h<240?m1+(m2-m1)*(240-h)/60:m1)*255}var radians=Math.PI/180,degrees=180/Math.PI,K=18,Xn=.96422,Yn=1,Zn=.82521,t0=4/29,t1=6/29,t2=3*t1*t1,t3=t1*t1*t1;function labConvert(o){if(o instanceof Lab)return new Lab(o.l,o.a,o.b,o.opacity);if(o instanceof Hcl)return hcl2lab(o);o instanceof Rgb||(o=rgbConvert(o));var r=rgb2lrgb(o.r),g=rgb2lrgb(o.g),b=rgb2lrgb(o.b),y=xyz2lab((.2225045*r+.7168786*g+.0606169*b)/Yn),x,z;return r===g&&g===b?x=z=y:(x=xyz2lab((.4360747*r+.3850649*g+.1430804*b)/Xn),z=xyz2lab((.0139322*r+.0971045*g+.7141733*b)/Zn)),new Lab(116*y-16,500*(x-y),200*(y-z),o.opacity)}function lab(l,a,b,opacity){return arguments.length===1?labConvert(l):new Lab(l,a,b,opacity??1)}function Lab(l,a,b,opacity){this.l=+l,this.a=+a,this.b=+b,this.opacity=+opacity}define(Lab,lab,extend(Color,{brighter(k){return new Lab(this.l+K*(k??1),this.a,this.b,this.opacity)},darker(k){return new Lab(this.l-K*(k??1),this.a,this.b,this.opacity)},rgb(){var y=(this.l+16)/116,x=isNaN(this.a)?y:y+this.a/500,z=isNaN(this.b)?y:y-this.b/200;return x=Xn*lab2xyz(x),y=Yn*lab2xyz(y),z=Zn*lab2xyz(z),new Rgb(lrgb2rgb(3.1338561*x-1.6168667*y-.4906146*z),lrgb2rgb(-.9787684*x+1.9161415*y+.033454*z),lrgb2rgb(.0719453*x-.2289914*y+1.4052427*z),this.opacity)}}));function xyz2lab(t){return t>t3?Math.pow(t,1/3):t/t2+t0}function lab2xyz(t){return t>t1?t*t*t:t2*(t-t0)}function lrgb2rgb(x){return 255*(x<=.0031308?12.92*x:1.055*Math.pow(x,1/2.4)-.055)}function rgb2lrgb(x){return(x/=255)<=.04045?x/12.92:Math.pow((x+.055)/1.055,2.4)}function hclConvert(o){if(o instanceof Hcl)return new Hcl(o.h,o.c,o.l,o.opacity);if(o instanceof Lab||(o=labConvert(o)),o.a===0&&o.b===0)return new Hcl(NaN,0<o.l&&o.l<100?0:NaN,o.l,o.opacity);var h=Math.atan2(o.b,o.a)*degrees;return new Hcl(h<0?h+360:h,Math.sqrt(o.a*o.a+o.b*o.b),o.l,o.opacity)}function hcl(h,c,l,opacity){return arguments.length===1?hclConvert(h):new Hcl(h,c,l,opacity??1)}function Hcl(h,c,l,opacity){this.h=+h,this.c=+c,this.l=+l,this.opacity=+opacity}function hcl2lab(o){if(isNaN(o.h))return new Lab(o.l,0,0,o.opacity);var h=o.h*radians;return new Lab(o.l,Math.cos(h)*o.c,Math.sin(h)*o.c,o.opacity)}define(Hcl,hcl,extend(Color,{brighter(k){return new Hcl(this.h,this.c,this.l+K*(k??1),this.opacity)},darker(k){return new Hcl(this.h,this.c,this.l-K*(k??1),this.opacity)},rgb(){return hcl2lab(this).rgb()}}));var A=-.14861,B=1.78277,C=-.29227,D=-.90649,E=1.97294,ED=E*D,EB=E*B,BC_DA=B*C-D*A;function cubehelixConvert(o){if(o instanceof Cubehelix)return new Cubehelix(o.h,o.s,o.l,o.opacity);o instanceof Rgb||(o=rgbConvert(o));var r=o.r/255,g=o.g/255,b=o.b/255,l=(BC_DA*b+ED*r-EB*g)/(BC_DA+ED-EB),bl=b-l,k=(E*(g-l)-C*bl)/D,s=Math.sqrt(k*k+bl*bl)/(E*l*(1-l)),h=s?Math.atan2(k,bl)*degrees-120:NaN;return new Cubehelix(h<0?h+360:h,s,l,o.opacity)}function cubehelix(h,s,l,opacity){return arguments.length===1?cubehelixConvert(h):new Cubehelix(h,s,l,opacity??1)}function Cubehelix(h,s,l,opacity){this.h=+h,this.s=+s,this.l=+l,this.opacity=+opacity}define(Cubehelix,cubehelix,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Cubehelix(this.h,this.s,this.l*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Cubehelix(this.h,this.s,this.l*k,this.opacity)},rgb(){var h=isNaN(this.h)?0:(this.h+120)*radians,l=+this.l,a=isNaN(this.s)?0:this.s*l*(1-l),cosh2=Math.cos(h),sinh2=Math.sin(h);return new Rgb(255*(l+a*(A*cosh2+B*sinh2)),255*(l+a*(C*cosh2+D*sinh2)),255*(l+a*(E*cosh2)),this.opacity)}}));function basis(t12,v0,v1,v2,v3){var t22=t12*t12,t32=t22*t12;return((1-3*t12+3*t22-t32)*v0+(4-6*t22+3*t32)*v1+(1+3*t12+3*t22-3*t32)*v2+t32*v3)/6}function basis$1(values){var n=values.length-1;return function(t){var i=t<=0?t=0:t>=1?(t=1,n-1):Math.floor(t*n),v1=values[i],v2=values[i+1],v0=i>0?values[i-1]:2*v1-v2,v3=i<n-1?values[i+2]:2*v2-v1;return basis((t-i/n)*n,v0,v1,v2,v3)}}function basisClosed(values){var n=values.length;return function(t){var i=Math.floor(((t%=1)<0?++t:t)*n),v0=values[(i+n-1)%n],v1=values[i%n],v2=values[(i+1)%n],v3=values[(i+2)%n];return basis((t-i/n)*n,v0,v1,v2,v3)}}var constant=x=>()=>x;function linear(a,d){return function(t){return a+t*d}}function exponential(a,b,y){return a=Math.pow(a,y),b=Math.pow(b,y)-a,y=1/y,function(t){return Math.pow(a+t*b,y)}}function hue$1(a,b){var d=b-a;return d?linear(a,d>180||d<-180?d-360*Math.round(d/360):d):constant(isNaN(a)?b:a)}function gamma(y){return(y=+y)==1?nogamma:function(a,b){return b-a?exponential(a,b,y):constant(isNaN(a)?b:a)}}function nogamma(a,b){var d=b-a;return d?linear(a,d):constant(isNaN(a)?b:a)}var rgb2=(function rgbGamma(y){var color2=gamma(y);function rgb3(start,end){var r=color2((start=rgb(start)).r,(end=rgb(end)).r),g=color2(start.g,end.g),b=color2(start.b,end.b),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.r=r(t),start.g=g(t),start.b=b(t),start.opacity=opacity(t),start+""}}return rgb3.gamma=rgbGamma,rgb3})(1);function rgbSpline(spline){return function(colors){var n=colors.length,r=new Array(n),g=new Array(n),b=new Array(n),i,color2;for(i=0;i<n;++i)color2=rgb(colors[i]),r[i]=color2.r||0,g[i]=color2.g||0,b[i]=color2.b||0;return r=spline(r),g=spline(g),b=spline(b),color2.opacity=1,function(t){return color2.r=r(t),color2.g=g(t),color2.b=b(t),color2+""}}}var rgbBasis=rgbSpline(basis$1),rgbBasisClosed=rgbSpline(basisClosed);function numberArray(a,b){b||(b=[]);var n=a?Math.min(b.length,a.length):0,c=b.slice(),i;return function(t){for(i=0;i<n;++i)c[i]=a[i]*(1-t)+b[i]*t;return c}}function isNumberArray(x){return ArrayBuffer.isView(x)&&!(x instanceof DataView)}function genericArray(a,b){var nb=b?b.length:0,na=a?Math.min(nb,a.length):0,x=new Array(na),c=new Array(nb),i;for(i=0;i<na;++i)x[i]=value(a[i],b[i]);for(;i<nb;++i)c[i]=b[i];return function(t){for(i=0;i<na;++i)c[i]=x[i](t);return c}}function date(a,b){var d=new Date;return a=+a,b=+b,function(t){return d.setTime(a*(1-t)+b*t),d}}function number2(a,b){return a=+a,b=+b,function(t){return a*(1-t)+b*t}}function object(a,b){var i={},c={},k;(a===null||typeof a!="object")&&(a={}),(b===null||typeof b!="object")&&(b={});for(k in b)k in a?i[k]=value(a[k],b[k]):c[k]=b[k];return function(t){for(k in i)c[k]=i[k](t);return c}}var reA=/[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g,reB=new RegExp(reA.source,"g");function zero2(b){return function(){return b}}function one(b){return function(t){return b(t)+""}}function string(a,b){var bi=reA.lastIndex=reB.lastIndex=0,am,bm,bs,i=-1,s=[],q=[];for(a=a+"",b=b+"";(am=reA.exec(a))&&(bm=reB.exec(b));)(bs=bm.index)>bi&&(bs=b.slice(bi,bs),s[i]?s[i]+=bs:s[++i]=bs),(am=am[0])===(bm=bm[0])?s[i]?s[i]+=bm:s[++i]=bm:(s[++i]=null,q.push({i,x:number2(am,bm)})),bi=reB.lastIndex;return bi<b.length&&(bs=b.slice(bi),s[i]?s[i]+=bs:s[++i]=bs),s.length<2?q[0]?one(q[0].x):zero2(b):(b=q.length,function(t){for(var i2=0,o;i2<b;++i2)s[(o=q[i2]).i]=o.x(t);return s.join("")})}function value(a,b){var t=typeof b,c;return b==null||t==="boolean"?constant(b):(t==="number"?number2:t==="string"?(c=color(b))?(b=c,rgb2):string:b instanceof color?rgb2:b instanceof Date?date:isNumberArray(b)?numberArray:Array.isArray(b)?genericArray:typeof b.valueOf!="function"&&typeof b.toString!="function"||isNaN(b)?object:number2)(a,b)}function round(a,b){return a=+a,b=+b,function(t){return Math.round(a*(1-t)+b*t)}}var degrees2=180/Math.PI,identity={translateX:0,translateY:0,rotate:0,skewX:0,scaleX:1,scaleY:1};function decompose(a,b,c,d,e,f){var scaleX,scaleY,skewX;return(scaleX=Math.sqrt(a*a+b*b))&&(a/=scaleX,b/=scaleX),(skewX=a*c+b*d)&&(c-=a*skewX,d-=b*skewX),(scaleY=Math.sqrt(c*c+d*d))&&(c/=scaleY,d/=scaleY,skewX/=scaleY),a*d<b*c&&(a=-a,b=-b,skewX=-skewX,scaleX=-scaleX),{translateX:e,translateY:f,rotate:Math.atan2(b,a)*degrees2,skewX:Math.atan(skewX)*degrees2,scaleX,scaleY}}var svgNode;function parseCss(value2){let m=new(typeof DOMMatrix=="function"?DOMMatrix:WebKitCSSMatrix)(value2+"");return m.isIdentity?identity:decompose(m.a,m.b,m.c,m.d,m.e,m.f)}function parseSvg(value2){return value2==null||(svgNode||(svgNode=document.createElementNS("http://www.w3.org/2000/svg","g")),svgNode.setAttribute("transform",value2),!(value2=svgNode.transform.baseVal.consolidate()))?identity:(value2=value2.matrix,decompose(value2.a,value2.b,value2.c,value2.d,value2.e,value2.f))}function interpolateTransform(parse,pxComma,pxParen,degParen){function pop(s){return s.length?s.pop()+" ":""}function translate(xa,ya,xb,yb,s,q){if(xa!==xb||ya!==yb){var i=s.push("translate(",null,pxComma,null,pxParen);q.push({i:i-4,x:number2(xa,xb)},{i:i-2,x:number2(ya,yb)})}else(xb||yb)&&s.push("translate("+xb+pxComma+yb+pxParen)}function rotate(a,b,s,q){a!==b?(a-b>180?b+=360:b-a>180&&(a+=360),q.push({i:s.push(pop(s)+"rotate(",null,degParen)-2,x:number2(a,b)})):b&&s.push(pop(s)+"rotate("+b+degParen)}function skewX(a,b,s,q){a!==b?q.push({i:s.push(pop(s)+"skewX(",null,degParen)-2,x:number2(a,b)}):b&&s.push(pop(s)+"skewX("+b+degParen)}function scale(xa,ya,xb,yb,s,q){if(xa!==xb||ya!==yb){var i=s.push(pop(s)+"scale(",null,",",null,")");q.push({i:i-4,x:number2(xa,xb)},{i:i-2,x:number2(ya,yb)})}else(xb!==1||yb!==1)&&s.push(pop(s)+"scale("+xb+","+yb+")")}return function(a,b){var s=[],q=[];return a=parse(a),b=parse(b),translate(a.translateX,a.translateY,b.translateX,b.translateY,s,q),rotate(a.rotate,b.rotate,s,q),skewX(a.skewX,b.skewX,s,q),scale(a.scaleX,a.scaleY,b.scaleX,b.scaleY,s,q),a=b=null,function(t){for(var i=-1,n=q.length,o;++i<n;)s[(o=q[i]).i]=o.x(t);return s.join("")}}}var interpolateTransformCss=interpolateTransform(parseCss,"px, ","px)","deg)"),interpolateTransformSvg=interpolateTransform(parseSvg,", ",")",")"),epsilon2=1e-12;function cosh(x){return((x=Math.exp(x))+1/x)/2}function sinh(x){return((x=Math.exp(x))-1/x)/2}function tanh(x){return((x=Math.exp(2*x))-1)/(x+1)}var zoom=(function zoomRho(rho,rho2,rho4){function zoom2(p0,p1){var ux0=p0[0],uy0=p0[1],w0=p0[2],ux1=p1[0],uy1=p1[1],w1=p1[2],dx=ux1-ux0,dy=uy1-uy0,d2=dx*dx+dy*dy,i,S;if(d2<epsilon2)S=Math.log(w1/w0)/rho,i=function(t){return[ux0+t*dx,uy0+t*dy,w0*Math.exp(rho*t*S)]};else{var d1=Math.sqrt(d2),b0=(w1*w1-w0*w0+rho4*d2)/(2*w0*rho2*d1),b1=(w1*w1-w0*w0-rho4*d2)/(2*w1*rho2*d1),r0=Math.log(Math.sqrt(b0*b0+1)-b0),r1=Math.log(Math.sqrt(b1*b1+1)-b1);S=(r1-r0)/rho,i=function(t){var s=t*S,coshr0=cosh(r0),u=w0/(rho2*d1)*(coshr0*tanh(rho*s+r0)-sinh(r0));return[ux0+u*dx,uy0+u*dy,w0*coshr0/cosh(rho*s+r0)]}}return i.duration=Math.abs(S)*1e3*rho/Math.SQRT2,i}return zoom2.rho=function(_){var _1=Math.max(.001,+_),_2=_1*_1,_4=_2*_2;return zoomRho(_1,_2,_4)},zoom2})(Math.SQRT2,2,4);function hsl2(hue){return function(start,end){var h=hue((start=hsl(start)).h,(end=hsl(end)).h),s=nogamma(start.s,end.s),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.s=s(t),start.l=l(t),start.opacity=opacity(t),start+""}}}var hsl_default=hsl2(hue$1),hslLong=hsl2(nogamma);function hcl2(hue){return function(start,end){var h=hue((start=hcl(start)).h,(end=hcl(end)).h),c=nogamma(start.c,end.c),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.c=c(t),start.l=l(t),start.opacity=opacity(t),start+""}}}var hcl_default=hcl2(hue$1),hclLong=hcl2(nogamma);function cubehelix2(hue){return(function cubehelixGamma(y){y=+y;function cubehelix3(start,end){var h=hue((start=cubehelix(start)).h,(end=cubehelix(end)).h),s=nogamma(start.s,end.s),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.s=s(t),start.l=l(Math.pow(t,y)),start.opacity=opacity(t),start+""}}return cubehelix3.gamma=cubehelixGamma,cubehelix3})(1)}var cubehelix_default=cubehelix2(hue$1),cubehelixLong=cubehelix2(nogamma);function constants(x){return function(){return x}}function number3(x){return+x}var unit=[0,1];function identity2(x){return x}function normalize(a,b){return(b-=a=+a)?function(x){return(x-a)/b}:constants(isNaN(b)?NaN:.5)}function clamper(a,b){var t;return a>b&&(t=a,a=b,b=t),function(x){return Math.max(a,Math.min(b,x))}}function bimap(domain,range2,interpolate){var d0=domain[0],d1=domain[1],r0=range2[0],r1=range2[1];return d1<d0?(d0=normalize(d1,d0),r0=interpolate(r1,r0)):(d0=normalize(d0,d1),r0=interpolate(r0,r1)),function(x){return r0(d0(x))}}function polymap(domain,range2,interpolate){var j=Math.min(domain.length,range2.length)-1,d=new Array(j),r=new Array(j),i=-1;for(domain[j]<domain[0]&&(domain=domain.slice().reverse(),range2=range2.slice().reverse());++i<j;)d[i]=normalize(domain[i],domain[i+1]),r[i]=interpolate(range2[i],range2[i+1]);return function(x){var i2=bisectRight(domain,x,1,j)-1;return r[i2](d[i2](x))}}function copy2(source,target){return target.domain(source.domain()).range(source.range()).interpolate(source.interpolate()).clamp(source.clamp()).unknown(source.unknown())}function transformer(){var domain=unit,range2=unit,interpolate=value,transform,untransform,unknown,clamp2=identity2,piecewise,output,input;function rescale(){var n=Math.min(domain.length,range2.length);return clamp2!==identity2&&(clamp2=clamper(domain[0],domain[n-1])),piecewise=n>2?polymap:bimap,output=input=null,scale}function scale(x){return x==null||isNaN(x=+x)?unknown:(output||(output=piecewise(domain.map(transform),range2,interpolate)))(transform(clamp2(x)))}return scale.invert=function(y){return clamp2(untransform((input||(input=piecewise(range2,domain.map(transform),number2)))(y)))},scale.domain=function(_){return arguments.length?(domain=Array.from(_,number3),rescale()):domain.slice()},scale.range=function(_){return arguments.length?(range2=Array.from(_),rescale()):range2.slice()},scale.rangeRound=function(_){return range2=Array.from(_),interpolate=round,rescale()},scale.clamp=function(_){return arguments.length?(clamp2=_?!0:identity2,rescale()):clamp2!==identity2},scale.interpolate=function(_){return arguments.length?(interpolate=_,rescale()):interpolate},scale.unknown=function(_){return arguments.length?(unknown=_,scale):unknown},function(t,u){return transform=t,untransform=u,rescale()}}function continuous(){return transformer()(identity2,identity2)}function tickFormat(start,stop,count2,specifier){var step=tickStep(start,stop,count2),precision;switch(specifier=formatSpecifier(specifier??",f"),specifier.type){case"s":{var value2=Math.max(Math.abs(start),Math.abs(stop));return specifier.precision==null&&!isNaN(precision=precisionPrefix_default(step,value2))&&(specifier.precision=precision),formatPrefix(specifier,value2)}case"":case"e":case"g":case"p":case"r":{specifier.precision==null&&!isNaN(precision=precisionRound_default(step,Math.max(Math.abs(start),Math.abs(stop))))&&(specifier.precision=precision-(specifier.type==="e"));break}case"f":case"%":{specifier.precision==null&&!isNaN(precision=precisionFixed_default(step))&&(specifier.precision=precision-(specifier.type==="%")*2);break}}return format(specifier)}function linearish(scale){var domain=scale.domain;return scale.ticks=function(count2){var d=domain();return ticks(d[0],d[d.length-1],count2??10)},scale.tickFormat=function(count2,specifier){var d=domain();return tickFormat(d[0],d[d.length-1],count2??10,specifier)},scale.nice=function(count2){count2==null&&(count2=10);var d=domain(),i0=0,i1=d.length-1,start=d[i0],stop=d[i1],prestep,step,maxIter=10;for(stop<start&&(step=start,start=stop,stop=step,step=i0,i0=i1,i1=step);maxIter-- >0;){if(step=tickIncrement(start,stop,count2),step===prestep)return d[i0]=start,d[i1]=stop,domain(d);if(step>0)start=Math.floor(start/step)*step,stop=Math.ceil(stop/step)*step;else if(step<0)start=Math.ceil(start*step)/step,stop=Math.floor(stop*step)/step;else break;prestep=step}return scale},scale}function linear2(){var scale=continuous();return scale.copy=function(){return copy2(scale,linear2())},initRange.apply(scale,arguments),linearish(scale)}/*! d3-scale, d3-format, d3-array, d3-interpolate, d3-color. Copyright 2010-2023 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
*/var SAME=.5,SLACK=2;function ticksOf(scale,count2){let[low,high]=scale.domain();if(!(high>low))return[{value:low,label:format(".4~g")(low)}];for(;count2<12&&scale.ticks(count2).length<2;)count2*=2;let label=scale.base?scale.tickFormat(count2,"~g"):scale.tickFormat(count2);return scale.ticks(count2).map(value2=>({value:value2,label:label(value2)})).filter(tick=>tick.label)}var Chart=class{constructor(width2,height,margin,x,y,scale=linear2){Object.assign(this,{width:width2,height,left:margin.left,right:width2-margin.right,top:margin.top,bottom:height-margin.bottom}),this.x=linear2(x,[this.left,this.right]),this.y=scale(y,[this.bottom,this.top])}level(value2){return Math.max(this.top-SLACK,Math.min(this.bottom+SLACK,this.y(value2)))}horizontal(value2,name){return drawn("line",{class:name,x1:this.left,x2:this.right,y1:this.y(value2),y2:this.y(value2)})}label(x,y,anchor,text,name="tick"){return drawn("text",{class:name,x,y,"text-anchor":anchor,text})}yAxis(count2){return ticksOf(this.y,count2).flatMap(({value:value2,label})=>[this.horizontal(value2,value2===0?"rule zero":"rule"),this.label(this.left-5,Math.max(10,this.y(value2)+4),"end",label)])}xAxis(count2,most=1/0){let anchor=x=>x>this.width-24?"end":"middle",steps2=ticksOf(this.x,count2).map(({value:value2})=>value2);return steps2.filter((value2,i)=>Number.isInteger(value2)&&(steps2.length<=most||i%2===0)).map(value2=>this.label(this.x(value2),this.height-3,anchor(this.x(value2)),value2.toLocaleString("en")))}path(steps2,values){let points=[],last=-1/0;for(let i=0;i<steps2.length;i++){let x=this.x(steps2[i]);if(x>this.right+SAME)break;x-last<SAME&&i<steps2.length-1||(points.push(`${x.toFixed(1)},${this.level(values[i]).toFixed(1)}`),last=x)}return points.length?`M${points.join("L")}`:""}line(steps2,values,attributes){return drawn("path",{d:this.path(steps2,values),...attributes})}band(steps2,low,high,attributes){let at=values=>Array.from(values,(value2,i)=>`${this.x(steps2[i]).toFixed(1)},${this.level(value2).toFixed(1)}`);return drawn("path",{d:`M${[...at(high),...at(low).reverse()].join("L")}Z`,...attributes})}};function between(steps2,step){let last=steps2.length-1;if(last<1||step<=steps2[0])return{low:0,part:0};if(step>=steps2[last])return{low:last,part:0};let low=bisectRight(steps2,step)-1;return{low,part:(step-steps2[low])/(steps2[low+1]-steps2[low])}}var Timeline=class{constructor(records){this.records=records,this.refresh()}refresh(){let steps2=this.records.flatMap(record=>record.steps);this.steps=[...new Set(steps2)].sort((a,b)=>a-b)}get last(){return Math.max(0,this.steps.length-1)}step(t){let low=Math.min(this.last,Math.max(0,Math.floor(t)));return low===this.last?this.steps[low]??0:this.steps[low]+(t-low)*(this.steps[low+1]-this.steps[low])}t(step){let{low,part}=between(this.steps,step);return low+part}},EMPTY={steps:[],values:[]},History=class{constructor(){this.clear()}clear(){this.upto=0,this.last=-1,this.all=new Map,this.events=[]}take({from,upto,columns,values,events=[]}){if(from===0)this.clear();else if(from!==this.upto)return!1;let data=floats32(values),width2=1+columns.length,series=columns.map(name=>this.writable(name));for(let at=0;at<data.length;at+=width2)this.last=Math.max(this.last,data[at]),series.forEach((one2,place)=>{let value2=data[at+1+place];Number.isNaN(value2)||(one2.steps.push(data[at]),one2.values.push(value2))});return this.events.push(...events.map(([step,words])=>({step,words}))),this.upto=upto,!0}writable(name){return this.all.has(name)||this.all.set(name,{steps:[],values:[]}),this.all.get(name)}series(column){return this.all.get(column)??EMPTY}has(column){return this.series(column).steps.length>0}value(column,step){let{steps:steps2,values}=this.series(column);return!steps2.length||step<steps2[0]?null:values[between(steps2,step).low]}trail(){let u=this.series("uniformity"),a=new Map(this.series("alignment").steps.map((step,i)=>[step,this.series("alignment").values[i]])),both=u.steps.flatMap((step,i)=>a.has(step)?[[step,u.values[i],a.get(step)]]:[]);return{steps:both.map(([step])=>step),points:both.map(([,uniformity,alignment])=>[uniformity,alignment])}}},NEAREST=5,middle=(map2,rows,axis)=>rows.reduce((sum,row)=>sum+map2[2*row+axis],0)/Math.max(1,rows.length),HEAD=["name","method","title","differs","labels","settings","seed","credit","unlike"],ALIVE=new Set(["waiting","running","paused"]),RunRecord=class{constructor(id,head={}){for(let name of HEAD)this[name]=head[name]??null;this.id=id,this.head={name:this.name,title:this.title,settings:this.settings},this.texts=head.texts??[],this.size=this.texts.length,this.axes=head.axes??0,this.shares=head.share??[],this.total=head.total_steps??0,this.levels=head.levels??{},this.scale=(head.span??1)/STEPS,this.probes=[],this.steps=[],this.history=new History,this.reload=!1,this.verdict=null,this.changes="",this.expected=[],this.umap=null,this.kept=new Map,this.boxes=new Map}take({probes=[],rows,verdict,status,umap,changes=this.changes}){let last=this.steps.at(-1)??-1,fresh=probes.filter(probe=>probe.step>last);return this.probes.push(...fresh),this.steps.push(...fresh.map(probe=>probe.step)),rows&&this.history.take(rows)&&rows.from===0&&(this.reload=!1),rows?.levels&&(this.levels=rows.levels),rows?.events?.length&&(this.expected=[]),this.expected=this.expected.filter(event=>event.step>this.history.last-2),verdict&&(this.verdict=verdict),this.changes=changes,status&&(this.status=status),this.alive||(this.expected=[]),umap&&this.lay(umap),fresh.length>0}lay({steps:steps2,measurements,span}){this.umap={steps:steps2,probes:measurements,scale:span/STEPS};for(let key of this.kept.keys())key.startsWith("umap")&&this.kept.delete(key);this.boxes.delete("umap 0 1")}expect(words){this.expected=[{step:this.history.last+1,words}]}known(columns){let{probes,history:history2,verdict}=this;return{id:this.id,probe:probes.at(-1)?.step??-1,row:this.reload?0:history2.upto,verdict:verdict?.step??-1,columns}}get alive(){return ALIVE.has(this.status)}get recorded(){return this.id.startsWith("recorded:")}get last(){return Math.max(this.history.last,this.steps.at(-1)??0)}once(key,make){return this.kept.has(key)||this.kept.set(key,make()),this.kept.get(key)}unpacked(probe){return this.once(`at ${probe}`,()=>floats(this.probes[probe].at,this.scale))}plane(kind){if(kind!=="umap")return{steps:this.steps,width:this.axes,of:probe=>this.unpacked(probe)};let{steps:steps2,probes,scale}=this.umap,later=this.steps.filter(step=>step>steps2.at(-1)),make=probe=>probe<steps2.length?floats(probes[probe],scale):this.followed(later[probe-steps2.length]);return{steps:[...steps2,...later],width:2,of:probe=>this.once(`umap ${probe}`,()=>make(probe))}}get outgrown(){return!!this.umap&&this.steps.at(-1)>this.umap.steps.at(-1)}followed(step){let{steps:steps2,probes,scale}=this.umap,laid=floats(probes.at(-1),scale),[then,now]=[this.probeAt(steps2.at(-1)),this.probeAt(step)];return laid.map((place,i)=>place+middle(laid,this.near(now,i>>1),i&1)-middle(laid,this.near(then,i>>1),i&1))}placeOf(at,step,view2){if(view2.kind!=="umap")return[at[view2.x],at[view2.y]];let probe=this.probeAt(step),all=this.unpacked(probe),far=row=>at.reduce((sum,value2,axis)=>sum+(value2-all[row*this.axes+axis])**2,0),near=Array.from({length:this.size},(_,row)=>[far(row),row]).sort((a,b)=>a[0]-b[0]).slice(0,NEAREST),map2=this.places(this.steps[probe],view2);return[0,1].map(axis=>middle(map2,near.map(([,row])=>row),axis))}places(step,view2,out=new Float32Array(2*this.size)){let{steps:steps2,width:width2,of}=this.plane(view2.kind);if(!steps2.length)return out;let{low,part}=between(steps2,step),a=of(low),b=part?of(low+1):a,[x,y]=axes(view2);for(let row=0,at=0;row<this.size;row++,at+=width2)out[2*row]=a[at+x]+part*(b[at+x]-a[at+x]),out[2*row+1]=a[at+y]+part*(b[at+y]-a[at+y]);return out}track(row,step,view2){let{steps:steps2,width:width2,of}=this.plane(view2.kind),[x,y]=axes(view2),way=[];for(let probe=0;probe<steps2.length&&steps2[probe]<=step;probe++){let all=of(probe);way.push([all[row*width2+x],all[row*width2+y]])}return way}bounds(view2){let{steps:steps2,width:width2,of}=this.plane(view2.kind),[x,y]=axes(view2),key=`${view2.kind} ${x} ${y}`,known=this.boxes.get(key)??{upto:0,box:[1/0,-1/0,1/0,-1/0]},{box}=known;for(;known.upto<steps2.length;known.upto++){let all=of(known.upto);for(let at=0;at<all.length;at+=width2)box[0]=Math.min(box[0],all[at+x]),box[1]=Math.max(box[1],all[at+x]),box[2]=Math.min(box[2],all[at+y]),box[3]=Math.max(box[3],all[at+y])}return this.boxes.set(key,known),box}trend(step){return this.probes[this.probeAt(step)]?.trend??""}within(step){return Math.round(Math.max(this.steps[0]??0,Math.min(step,this.steps.at(-1)??0)))}probeAt(step){return between(this.steps,step).low}near(probe,row){if(!this.probes[probe])return[];let all=this.once(`near ${probe}`,()=>whole(this.probes[probe].near)),count2=all.length/this.size;return[...all.subarray(row*count2,(row+1)*count2)]}share(probe,x,y){if(!this.probes[probe])return 0;let spread=this.once(`spread ${probe}`,()=>Array.from({length:this.axes},(_,axis)=>variance(this.unpacked(probe),(value2,i)=>i%this.axes===axis?value2:NaN))),held=spread.reduce((sum,one2)=>sum+one2,0),shown=x===y?spread[x]:spread[x]+spread[y];return held>0?shown/held*this.probes[probe].share:0}},axes=view2=>view2.kind==="umap"?[0,1]:[view2.x,view2.y];function grey({id,head,history:history2,total}){let record=new RunRecord(id,{...head,texts:[],axes:0,total_steps:total});return record.history=history2,record}var Runs=class{constructor(count2){this.records=Array.from({length:count2},()=>new RunRecord("")),this.previous=null}known(columns){return this.records.map(record=>record.known(columns))}arrange(count2){return!count2||count2===this.records.length?!1:(this.records=Array.from({length:count2},(_,place)=>this.records[place]??new RunRecord("")),!0)}take(parts){let found={replaced:this.arrange(parts.length),probes:!1,rows:!1};return parts.forEach((part,place)=>{let record=this.records[place];if(part.head&&(part.id!==record.id||!record.texts.length)&&(record=this.begin(place,part),found.replaced=!0),part.id!==record.id||part.probes?.length&&part.rows&&part.rows.from>record.history.upto)return;let marks=record.expected.length;found.probes=record.take(part)||found.probes,found.rows||=part.rows?.upto>part.rows?.from||!!part.verdict||record.expected.length!==marks}),found}begin(place,{id,head}){let old=this.records[place];return!place&&old.id&&old.id!==id&&old.history.upto&&(this.previous=grey(old)),this.records[place]=new RunRecord(id,head),this.records[place]}takePrevious({id,name,total_steps,rows}){if(this.previous?.id===id)return;let record=new RunRecord(id,{name,total_steps});record.history.take(rows),this.previous=record}};var DEFAULT_CELLS=[{cell:"loss",columns:[{name:"loss",title:"loss",better:"",smooth:!0}]},{cell:"alignment",columns:[{name:"alignment",title:"alignment",better:"lower",smooth:!1}]},{cell:"uniformity",columns:[{name:"uniformity",title:"uniformity",better:"lower",smooth:!1}]}],LETTER=6.2,LETTERED=240,MARGIN2={left:40,right:8,top:4,bottom:18},LEAST2={alignment:.2,uniformity:1,validation:10},clips=0;function smoothed(values){let keep=Math.min(.9,Math.max(0,1-12/values.length)),mean=values[0];return values.map((value2,i)=>{let held=Math.min(keep,i/(i+1));return mean=held*mean+(1-held)*value2,mean})}function range(lists2){let all=lists2.flat().sort((a,b)=>a-b);return all.length?[all[Math.floor(.01*(all.length-1))],all[Math.ceil(.99*(all.length-1))]]:null}function roundEnd(last,total){let power=10**Math.max(1,Math.floor(Math.log10(Math.max(last,1)))),end=[1,2,5,10].map(one2=>one2*power).find(one2=>one2>=last);return Math.max(last,1,Math.min(end,total||end))}var Curve=class{constructor({cell,columns},hooks,last){Object.assign(this,{cell,columns:[...columns],strip:columns.length,last,hooks,width:0,height:0,domain:null,record:null}),this.column=columns[0],this.title=this.titled(),this.value=element("span",{class:"curve-value"}),this.was=element("span",{class:"curve-was"}),this.hint=element("span",{class:"curve-hint"});let id=`clwork-clip-${++clips}`;this.clip=drawn("rect",{x:MARGIN2.left}),this.ground=drawn("g"),this.lines=drawn("g",{"clip-path":`url(#${id})`}),this.head=drawn("line",{class:"head"}),this.dots=drawn("g");let svg=drawn("svg",{class:"curve-svg"},drawn("defs",{},drawn("clipPath",{id},this.clip)),this.ground,this.lines,this.head,this.dots);this.svg=svg,this.box=element("div",{class:"curve-box",role:"img",tabindex:0},svg),this.root=element("div",{class:"clwork-curve","data-cell":cell},element("div",{class:"curve-line"},this.title,this.value,this.was,this.hint),this.box),this.pointer()}titled(){if(this.columns.length<2)return element("span",{class:"curve-name",text:this.column?.title??this.cell});let menu=element("select",{class:"curve-name","aria-label":"score that is drawn",onchange:()=>this.choose(menu.value,!0)});return menu.append(...this.columns.map(({name,title})=>element("option",{value:name,text:title}))),menu}choose(name,asked){this.column=this.columns.find(one2=>one2.name===name)??this.column,this.chosen||=asked,this.title.tagName==="SELECT"&&(this.title.value=this.column.name),this.domain=null,asked&&this.hooks.column(this.column.name)}offer(further){if(this.title.tagName!=="SELECT")return;let fresh=further.filter(([name])=>!this.columns.some(one2=>one2.name===name));this.columns.push(...fresh.map(([name,title])=>({name,title,better:"",smooth:!1}))),this.title.append(...fresh.map(([name,title])=>element("option",{value:name,text:title})))}chooseColumn(records){if(this.chosen||records.some(({history:history2})=>history2.has(this.column.name)))return;let found=this.columns.slice(0,this.strip).find(({name})=>records.some(({history:history2})=>history2.has(name)));found&&this.choose(found.name,!1)}pointer(){let{svg}=this,move=event=>{let at=event.clientX-svg.getBoundingClientRect().left;this.chart&&this.hooks.go(Math.max(0,Math.min(this.end,this.chart.x.invert(at))))};svg.addEventListener("pointerdown",event=>{svg.setPointerCapture(event.pointerId),move(event)}),svg.addEventListener("pointermove",event=>event.buttons&&move(event))}lay({runs,previous,bands},end){let{width:width2,height}=this;if(this.chart=null,!width2||!height||!this.columns.length)return;this.chooseColumn([...runs.map(({record})=>record),...previous?[previous]:[]]);let{name,smooth,better}=this.column,drawnOf=({values})=>smooth&&values.length?smoothed(values):values;this.end=end,this.series=runs.map(({record})=>record.history.series(name)),this.before=previous?.history.series(name)??null;let lines=this.series.map(drawnOf),old=this.before?drawnOf(this.before):[],levels=Object.entries(runs[0]?.record.levels[name]??{}).filter(([,level])=>Number.isFinite(level)||Array.isArray(level));this.widen(runs[0]?.record,[...lines,old],levels);let empty=![...lines,old].some(list=>list.length),chart=new Chart(width2,height,MARGIN2,[0,end],this.domain);this.chart=chart,this.foot=chart.bottom+2;let room=Math.max(2,Math.floor((width2-MARGIN2.left)/(LETTER*7)));attribute(this.svg,"viewBox",`0 0 ${width2} ${height}`),this.ground.replaceChildren(...this.bandOf(bands[name]),...empty?[]:chart.yAxis(Math.max(2,Math.floor(this.foot/28))),drawn("line",{class:"axis-line",x1:chart.left,x2:chart.right,y1:this.foot,y2:this.foot}),...this.last?chart.xAxis(room,room):[],...levels.flatMap(level=>this.level(level)),...runs.flatMap(({record})=>this.eventMarks(record)),...old.length?[chart.line(this.before.steps,old,{class:"was-line"})]:[]),this.lines.replaceChildren(...runs.flatMap(({ink,dash},run)=>[...smooth?[chart.line(this.series[run].steps,this.series[run].values,{class:"raw",stroke:ink})]:[],chart.line(this.series[run].steps,lines[run],{class:"line",stroke:ink,"stroke-dasharray":dash})])),this.dots.replaceChildren(...runs.map(({ink})=>drawn("circle",{class:"head-dot",r:4,fill:ink})));for(let[mark,value2]of[["y1",0],["y2",this.foot]])attribute(this.head,mark,String(value2));attribute(this.clip,"height",String(height));let hint=smooth?"thick: running mean":"";better&&(hint=`${better} is better`),empty&&(hint="not measured yet"),write(this.hint,hint)}widen(record,lists2,levels){let found=range(lists2)??(levels.length?[0,0]:[0,1]),most=levels.flatMap(([,level])=>level),[low,high]=[Math.min(found[0],...most),Math.max(found[1],...most)];levels.length&&this.cell==="loss"&&(low=Math.min(0,low));let least=(this.columns.indexOf(this.column)<this.strip?LEAST2[this.cell]:null)??Math.max(.1,.1*Math.abs(high)),pad=Math.max(.06*(high-low),(least-(high-low))/2);[low,high]=[low===0?0:low-pad,high+pad],this.domain&&this.record===record&&([low,high]=[Math.min(low,this.domain[0]),Math.max(high,this.domain[1])]),[this.domain,this.record]=[[low,high],record]}bandOf(band){if(!band)return[];let inside=(_,i)=>band.steps[i]<=this.end||band.steps[i-1]<this.end,[at,low,high]=[band.steps,band.low,band.high].map(list=>[...list].filter(inside));return[this.chart.band(at.map(step=>Math.min(step,this.end)),low,high,{class:"band"})]}level([name,level]){let{chart}=this,[low,high]=Array.isArray(level)?level:[level,level],y=chart.y(high);return[low===high?chart.horizontal(high,"level"):chart.band([0,this.end],[low,low],[high,high],{class:"band"}),chart.label(chart.right-2,y>18?y-4:y+12,"end",name,"level-name")]}eventMarks(record){let events=[...record.history.events,...record.expected],newest=events.at(-1);return events.map(event=>drawn("g",{class:"event"},drawn("title",{text:`step ${steps(event.step)}: ${event.words}`}),drawn("rect",{x:this.chart.x(event.step)-1,width:2,y:this.foot,height:8}),event===newest&&this.cell==="loss"?this.worded(event):""))}worded({step,words}){let most=Math.max(8,Math.floor(this.width/LETTER)-2),text=words.length>most?`${words.slice(0,most-1)}…`:words,x=Math.max(2,Math.min(this.chart.x(step)+4,this.width-LETTER*text.length));return drawn("text",{x,y:this.height-3,text})}showValues(runs,words,step){let{value:value2}=this;for(;value2.childElementCount>words.length;)value2.lastChild.remove();words.forEach((word,run)=>{let part=value2.children[run]??value2.appendChild(element("span"));part.style.color=runs[run].ink;let{last}=runs[run].record,ended=runs.length>1&&last<Math.round(step);markStep(part,ended?last:null,ended),write(part,ended?`${word} at ${steps(last)}`:word)})}heightOf(run,step){let{steps:at,values}=this.series[run];if(!values.length||step<at[0])return null;let{low,part}=between(at,step);return this.chart.level(values[low]+part*((values[low+1]??values[low])-values[low]))}show(runs,step,live){if(!this.chart)return;let{name,better}=this.column,at=this.chart.x(Math.min(step,this.end));attribute(this.head,"transform",`translate(${at.toFixed(1)},0)`),attribute(this.clip,"width",(live?Math.max(0,at-MARGIN2.left):this.width).toFixed(1));let words=runs.map(({record,name:letter},run)=>{let value2=record.history.value(name,step),x=Math.min(step,this.series[run].steps.at(-1)??0),high=this.heightOf(run,x),dot=this.dots.children[run];return attribute(dot,"display",high===null||value2===null?"none":"inline"),high!==null&&attribute(dot,"transform",`translate(${this.chart.x(Math.min(x,this.end)).toFixed(1)},${high.toFixed(1)})`),runs.length>1?`${letter} ${measured(value2)}`:measured(value2)});this.showValues(runs,this.width<LETTERED?words.map(word=>word.replace(/^[AB] /,"")):words,step);let{steps:measuredAt}=this.series[0]??{steps:[]},equal=measuredAt.length?measuredAt[between(measuredAt,step).low]:step;write(this.was,this.before?.steps.length?measured(this.before.values[between(this.before.steps,equal).low]):""),attribute(this.box,"aria-label",`${this.column.title} ${words.join(", ")} at step ${Math.round(step)}${better?`; ${better} is better`:""}`)}},Curves=class{constructor(cells,hooks){let shown=cells?.length?cells:DEFAULT_CELLS;this.hooks=hooks,this.curves=shown.map((cell,i)=>new Curve(cell,hooks,i===shown.length-1)),this.root=element("div",{class:"curves"},...this.curves.map(curve=>curve.root));for(let curve of this.curves)onResize(curve.box,(width2,height)=>{Object.assign(curve,{width:width2,height}),hooks.resized()})}hideEmpty(records){let there=({columns})=>columns.length<2||columns.some(({name})=>records.some(({history:history2})=>history2.has(name))),shown=this.curves.filter(there);for(let curve of this.curves)curve.root.hidden=!shown.includes(curve),curve.last=curve===shown.at(-1);this.root.parentElement?.style.setProperty("--curves",String(shown.length))}offer(further){this.curves.at(-1).offer(further)}lay(runs,previous,bands={}){let alive=runs.some(({record})=>record.alive),last=Math.max(1,...runs.map(({record})=>record.last)),total=Math.max(0,...runs.map(({record})=>record.total)),end=alive?roundEnd(last,total):last;for(let curve of this.curves)curve.lay({runs,previous,bands},end)}show(runs,step,live){for(let curve of this.curves)curve.show(runs,step,live)}};var LANDMARKS={collapsed:[0,0],random:[-4,2]},LEAST3={u:.5,a:.2},AROUND=.12,EDGE={left:50,right:84,top:6,bottom:28},Plane=class{constructor(hooks){this.svg=drawn("svg",{class:"plane-svg",role:"img"}),this.box=element("div",{class:"plane-box"},this.svg),this.root=element("div",{class:"clwork-plane"},element("div",{class:"curve-line"},element("span",{class:"curve-name",text:"alignment–uniformity"}),element("span",{class:"curve-hint",text:"better ↙"})),this.box),[this.width,this.height]=[0,0],onResize(this.box,(width2,height)=>{Object.assign(this,{width:width2,height}),hooks.resized()})}lay(runs,previous,landmarks={}){if(this.ways=null,this.width<60||this.height<50)return;this.trails=runs.map(({record})=>record.history.trail());let past=previous?.history.trail()??{points:[]};this.zoom(runs[0]?.record,[...this.trails,past].flatMap(({points})=>points));let right=this.width-EDGE.right,bottom=this.height-EDGE.bottom;this.x=linear2(this.domain.u,[EDGE.left,right]),this.y=linear2(this.domain.a,[bottom,EDGE.top]),this.svg.setAttribute("viewBox",`0 0 ${this.width} ${this.height}`);let marks=this.marksOf(landmarks);this.ways=runs.map(({ink,dash},run)=>this.way(this.trails[run].points,ink,dash)),this.svg.replaceChildren(...this.grid(right,bottom),...marks,...past.points.length?[drawn("path",{class:"was-line",d:this.path(past.points)})]:[],...this.ways.flatMap(({all,line:line2,start,now})=>[all,line2,start,now]))}zoom(record,points){let found=points.length?points:[[-2,1]],around=(place,least,floor)=>{let values=found.map(point=>point[place]),[low,high]=[Math.min(...values),Math.max(...values)],pad=Math.max(AROUND*(high-low),(least-(high-low))/2);return[low,high]=[low-pad,high+pad],low<floor?[floor,Math.max(high,floor+least)]:[low,high]},[u,a]=[around(0,LEAST3.u,-1/0),around(1,LEAST3.a,-.02)];this.record===record&&this.domain&&(u=[Math.min(u[0],this.domain.u[0]),Math.max(u[1],this.domain.u[1])],a=[Math.min(a[0],this.domain.a[0]),Math.max(a[1],this.domain.a[1])]),[this.domain,this.record]=[{u,a},points.length?record:null]}place([u,a]){return[this.x(u),this.y(a)]}grid(right,bottom){let[us,as]=[this.x.ticks(Math.max(2,Math.floor((right-EDGE.left)/60))),this.y.ticks(3)],[uWords,aWords]=[this.x.tickFormat(us.length),this.y.tickFormat(as.length)];return[...us.flatMap(u=>[drawn("line",{class:"rule",x1:this.x(u),x2:this.x(u),y1:EDGE.top,y2:bottom}),drawn("text",{class:"tick",x:this.x(u),y:bottom+12,"text-anchor":"middle",text:uWords(u)})]),...as.flatMap(a=>[drawn("line",{class:"rule",x1:EDGE.left,x2:right,y1:this.y(a),y2:this.y(a)}),drawn("text",{class:"tick",x:EDGE.left-5,y:this.y(a)+4,"text-anchor":"end",text:aWords(a)})]),drawn("text",{class:"axis",x:right,y:this.height-3,"text-anchor":"end",text:"uniformity"}),drawn("text",{class:"axis",x:4,y:EDGE.top+2,"text-anchor":"end",transform:`rotate(-90 10 ${EDGE.top})`,text:"alignment"})]}marksOf(landmarks){let right=this.width-EDGE.right,bottom=this.height-EDGE.bottom,all=Object.entries({...LANDMARKS,...landmarks}).map(([name,point])=>({name,at:this.place(point)})),most=this.height-6-13*(all.length-1),free=EDGE.top+10;return all.sort((a,b)=>a.at[1]-b.at[1]).flatMap(({name,at:[x,y]},i)=>{let seen=x>=EDGE.left&&x<=right&&y>=EDGE.top&&y<=bottom,high=Math.max(free,Math.min(y+4,most+13*i));free=high+13;let turn=Math.atan2(y-high,x-right)*180/Math.PI;return[drawn("text",{class:"landmark-name",x:right+16,y:high,text:name}),...seen?[drawn("path",{class:"landmark",d:`M${x-4},${y-4}L${x+4},${y+4}M${x+4},${y-4}L${x-4},${y+4}`}),drawn("line",{class:"leader",x1:x,y1:y,x2:right+14,y2:high-4})]:[drawn("path",{class:"landmark-arrow",d:"M-4 -3.5L4 0L-4 3.5Z",transform:`translate(${right+8},${high-4}) rotate(${turn.toFixed(0)})`})]]})}way(points,ink,dash){let[x,y]=points.length?this.place(points[0]):[0,0],shown=points.length?"inline":"none";return{all:drawn("path",{class:"trail-all",d:this.path(points),stroke:ink}),line:drawn("path",{class:"trail",stroke:ink,"stroke-dasharray":dash}),start:drawn("circle",{class:"trail-start",cx:x,cy:y,r:4,stroke:ink,display:shown}),now:drawn("circle",{class:"trail-now",r:6,fill:ink,display:shown})}}path(points){return points.map((point,i)=>(i?"L":"M")+this.place(point).map(at=>at.toFixed(1)).join(",")).join("")}show(runs,step){if(!this.ways)return;let words=runs.map(({name},run)=>{let{steps:steps2,points}=this.trails[run];if(!points.length)return`${runs.length>1?name:"this run"} was not measured`;let{low,part}=between(steps2,step),next=points[low+1]??points[low],now=points[low].map((value2,k)=>value2+part*(next[k]-value2));attribute(this.ways[run].line,"d",this.path([...points.slice(0,low+1),now]));let[x,y]=this.place(now);return attribute(this.ways[run].now,"transform",`translate(${x.toFixed(1)},${y.toFixed(1)})`),`${runs.length>1?`${name}: `:""}alignment ${measured(now[1])}, uniformity ${measured(now[0])}`});attribute(this.svg,"aria-label",`alignment–uniformity plane at step ${Math.round(step)}: ${words.join("; ")}; lower is better for both`)}};var WHOLE=14,LEAST4=.16,STEP=300,PACES=[["slow motion",.2],["normal",1],["fast",3]],eased=part=>1-(1-Math.min(1,part))**3,Clock=class{constructor(last,show,rest){Object.assign(this,{last,show,rest,t:0,playing:!1,pace:1,goal:null}),this.still=window.matchMedia("(prefers-reduced-motion: reduce)")}play(seconds=null){return seconds&&this.still.matches?this.jump(this.last()):(this.t>=this.last()&&(this.t=0),this.whole=seconds,this.playing=!0,this.goal=null,this.run())}pause(){this.playing=!1,this.rest()}glide(t){this.playing=!1;let goal=Math.max(0,Math.min(this.last(),t));if(this.still.matches||document.hidden)return this.jump(goal);this.goal={from:this.t,to:goal,began:performance.now()},this.run()}jump(t){this.playing=!1,this.goal=null,this.t=Math.max(0,Math.min(this.last(),t)),this.show(this.t),this.rest()}get part(){return this.goal?eased((performance.now()-this.goal.began)/STEP):1}get aim(){return this.goal?this.goal.to:this.t}run(){this.frame||(this.lastTick=performance.now(),this.frame=requestAnimationFrame(now=>this.tick(now)))}tick(now){this.frame=0;let passed=Math.min(.1,(now-this.lastTick)/1e3);if(this.lastTick=now,this.goal){let part=Math.min(1,(now-this.goal.began)/STEP);this.t=this.goal.from+(this.goal.to-this.goal.from)*eased(part),part===1&&(this.goal=null)}else if(this.playing){let each=this.whole?this.whole/Math.max(1,this.last()):Math.max(LEAST4,Math.min(1,WHOLE/Math.max(1,this.last())));this.t=Math.min(this.last(),this.t+passed*this.pace/each),this.t>=this.last()&&(this.playing=!1)}let going=this.goal||this.playing;this.show(this.t),going?this.frame=requestAnimationFrame(next=>this.tick(next)):this.rest()}close(){cancelAnimationFrame(this.frame)}},Transport=class{constructor(clock,hooks){Object.assign(this,{clock,hooks});let button=(text,label,act2)=>element("button",{class:"key",type:"button",text,"aria-label":label,title:label,onclick:act2});this.play=button("▶","play",()=>this.toggle()),this.back=button("◂","one probe back",()=>this.step(-1)),this.on=button("▸","one probe forward",()=>this.step(1)),this.slider=element("input",{class:"time",type:"range",min:0,step:"any","aria-label":"time",oninput:()=>this.go(Number(this.slider.value))}),this.marks=element("div",{class:"time-marks","aria-hidden":"true"}),this.pace=element("select",{class:"pace","aria-label":"speed of playing",onchange:()=>clock.pace=Number(this.pace.value)},...PACES.map(([text,value2])=>element("option",{value:value2,text,selected:value2===1}))),this.words=element("output",{class:"told"}),this.live=element("button",{class:"live",type:"button",text:"Live",title:"Follow the run: show its newest probe (End)",onclick:hooks.live}),this.fork=element("button",{class:"clwork-fork",type:"button",text:"Fork",disabled:!0,onclick:hooks.fork}),this.root=element("div",{class:"clwork-transport",role:"group","aria-label":"time"},this.play,this.back,this.on,element("div",{class:"time-box"},this.slider,this.marks),this.words,this.pace,hooks.fork?this.fork:"",this.live)}toggle(){this.clock.playing?this.clock.pause():this.clock.play(),this.hooks.moved()}go(t){this.clock.jump(t),this.hooks.moved()}step(way,count2=1){let t=this.clock.aim;this.clock.glide(way>0?Math.floor(t+count2+1e-6):Math.ceil(t-count2-1e-6)),this.hooks.moved()}show(t,last,words,live){let{playing}=this.clock;write(this.play,playing?"❚❚":"▶"),attribute(this.play,"aria-label",playing?"pause":"play"),attribute(this.play,"title",`${playing?"pause":"play"} (space)`),this.slider.max=String(last),this.slider.value=String(t),this.slider.style.setProperty("--done",`${last?100*t/last:100}%`),attribute(this.slider,"aria-valuetext",words),this.back.disabled=this.clock.aim<=0,this.on.disabled=this.clock.aim>=last,attribute(this.live,"data-live",String(live)),attribute(this.live,"aria-pressed",String(live===!0)),this.live.disabled=live===null}mark(moments,last){let key=`${moments} ${last}`;key!==this.marked&&(this.marked=key,this.marks.replaceChildren(...moments.map(t=>element("i",{style:`left: ${last?100*t/last:0}%`}))))}};function told(runs,step,last){let values=runs.map(({record,name})=>{let loss=record.history.value("loss",step);return loss===null?"":`, ${runs.length>1?`${name} `:""}loss ${measured(loss)}`});return`step ${Math.round(step)} of ${last}${values.join("")}`}function frame(records,view2){let all=records.filter(record=>record.probes.length).map(record=>record.bounds(view2));return all.length?[0,1,2,3].map(side=>Math[side%2?"max":"min"](...all.map(box=>box[side]))):[-1,1,-1,1]}function scene(record,run,selection,moment){let{step,start,view:view2,box,words,own,inks,dark,still,read,dimmed}=moment,forces=run?null:moment.forces,{hidden,chosen,hover,groups,shared,lit,pinned}=selection,[rowOf,ofRow]=[shared.rowOf[run],shared.ofRow[run]],there=record.probes.length>0,rows=there?chosen.map(sentence=>rowOf[sentence]).filter(row2=>row2>=0):[],row=rows.at(-1)??-1,near=row<0?[]:record.near(record.probeAt(step),row),group=one2=>groups.of[ofRow[one2]],involved=forces&&new Set([forces.row,...forces.pull.map(([other])=>other),...forces.push.map(([other])=>other)]);return{read,xy:there?record.places(step,view2):new Float32Array(0),before:there&&start!==null?record.places(start,view2):null,box,group,hidden:one2=>hidden.has(group(one2)),faint:one2=>involved?!involved.has(one2):selection.faint(ofRow[one2]),hover:hover<0||!there?-1:rowOf[hover],chosen:rows,near,nearAtFirst:row<0?[]:record.near(0,row).filter(one2=>!near.includes(one2)),tracks:rows.map(one2=>[one2,record.track(one2,step,view2)]),own,forces,dimmed,text:one2=>record.texts[one2],names:groups.groups.filter(one2=>!hidden.has(one2.group)),lit,pinned,still,dark,inks,label:`cloud of ${counted(record.size,"sentence")}${record.title?`, ${record.title}`:""}, ${words}. Arrow keys go from dot to dot, Enter chooses one.`}}function holds(record,step,view2,brief){if(!record.probes.length)return"";if(view2.kind==="umap"){let last=record.umap.steps.at(-1);return step>last?`UMAP up to step ${steps(last)}, then by nearest sentences`:"UMAP: who is near whom, not how far"}let part=percent(record.share(record.probeAt(step),view2.x,view2.y));return brief?`${part} of the variance`:`axes ${view2.x+1} and ${view2.y+1}: ${part} of the variance`}function line(selection,idle){let{hover,chosen,query,groups,shared:{texts}}=selection,sentence=hover>=0?hover:chosen.at(-1)??-1;if(sentence>=0){let group=groups.of[sentence],name=groups.groups.find(one2=>one2.group===group)?.name??"";return{text:texts[sentence],group,name,sentence}}if(!query)return{text:idle};let count2=texts.filter((_,one2)=>selection.fits(one2)).length;return{text:`${count2} of ${counted(texts.length,"sentence")} ${count2===1?"holds":"hold"} “${query}”. Enter chooses one after the other.`}}function lists(runs,{groups,shared},sentence,step,shown,whole2){if(sentence<0)return[];let alone=runs.length===1;return runs.flatMap(({record,name,ink},run)=>{let row=shared.rowOf[run][sentence];if(!record.probes.length)return[];let prefix=alone?"nearest":name;if(row<0)return[{title:`${name}: not among its sentences`,ink,name,when:"now",items:[]}];let first=record.near(0,row),now=record.probeAt(step),last=record.probes.length-1,at=record.steps[now],apart=at===shown?"":`step ${steps(at)}`,column=(title,probe,when)=>({title,when,step:record.steps[probe],name:alone?when==="now"&&apart||when:[name,apart].filter(Boolean).join(", "),ink:alone?null:ink,items:record.near(probe,row).map(one2=>{let other=shared.ofRow[run][one2];return{sentence:other,text:record.texts[one2],group:groups.of[other],fresh:probe>0&&!first.includes(one2)}})}),columns=[column(`${prefix} at step ${steps(record.steps[0])}`,0,"then"),column(`${prefix} now, step ${steps(record.steps[now])}`,now,"now")];return alone&&whole2&&columns.push(column(`${record.alive?"latest":"at the end"}, step ${steps(record.steps[last])}`,last,"end")),columns})}var TAIL=.8,GROWS=80,COMPUTING="UMAP is being computed; its first use compiles for about a minute",HINT="Click a dot to draw its track and to list its nearest sentences here, then and now.",Picture=class{constructor(page){this.page=page,this.stale=!0,this.frame=null,this.failures=new Map,this.head=0,this.clouds=[],this.arrange();let resized=()=>{this.stale=!0,page.draw()};this.curves=new Curves(page.about.curves,{go:step=>{page.clock.jump(page.time.t(step)),page.moved()},column:name=>{page.column(name),resized()},resized}),this.plane=new Plane({resized}),this.reading=new Reading(sentence=>page.choose(sentence),!page.panel);let fork=page.panel?()=>this.fork():null;this.transport=new Transport(page.clock,{moved:()=>page.moved(),live:()=>page.toNow(),fork}),this.transport.fork.addEventListener("blur",()=>this.askToEnd(!1))}get forkStep(){let{page}=this;return Math.min(Math.round(page.step),page.records[0].last)}fork(){let{page,transport}=this,active=!!page.runState?.alive;return active&&!transport.fork.hasAttribute("data-asks")?this.askToEnd(!0):(this.askToEnd(!1),page.act("fork",{step:this.forkStep,stop:active}))}askToEnd(asks){let{fork}=this.transport,asked=fork.hasAttribute("data-asks");return fork.toggleAttribute("data-asks",asks),asks!==asked&&this.page.draw(),asked}arrange(){this.slots=this.page.records.map((_,run)=>({name:"AB"[run],ink:`var(--run-${run})`,dash:run?"6 3":null})),this.clouds.splice(this.slots.length);for(let run=this.clouds.length;run<this.slots.length;run++){let[note,trend]=["note","trend"].map(name=>element("div",{class:`cloud-${name}`}));this.clouds.push(Object.assign(this.cloud(run),{note,trend,when:element("span",{class:"at-step"})}))}}cloud(run){let{page}=this,sentence=row=>row<0?-1:page.shared.ofRow[run][row]??-1;return new Cloud({hover:row=>page.selection.point(sentence(row)),choose:(row,more)=>page.choose(sentence(row),more),key:event=>this.walk(event,run),light:group=>page.selection.light(group),pin:group=>page.selection.pin(group),resized:()=>page.draw()})}walk(event,run){let{page,clouds:{[run]:cloud}}=this,{selection,shared}=page;if(event.key==="Enter"&&selection.hover>=0)return page.choose(selection.hover,event.shiftKey),!0;if(event.ctrlKey||event.metaKey||event.altKey)return!1;let next=cloud.next(selection.hover<0?-1:shared.rowOf[run][selection.hover],event);if(next===null)return!1;if(next<0)return!0;selection.point(shared.ofRow[run][next]);let read=line(selection,"");return this.reading.speak([read.name,read.text,this.nearest(read.sentence)].filter(Boolean).join(". ")),!0}nearest(sentence){let{page}=this,[,now]=lists(this.shown().slice(0,1),page.selection,sentence,page.step,this.moment);return now?.items.length?`nearest: ${now.items[0].text}`:""}shown(){let{records,panel}=this.page;return this.slots.map((slot,run)=>({...slot,record:records[run],ink:panel&&!run&&records[run].recorded?"var(--was)":slot.ink}))}part(name,draw){try{if(draw(),!this.failures.delete(name))return}catch(error){if(this.failures.get(name)===String(error))return;this.failures.set(name,String(error)),console.error(error)}this.page.layout.report()}get moment(){return Math.round(this.head)}elsewhere(step){let{page,slots}=this,dots=slots.length>1?this.moment:this.stepOf(page.records[0]);return step!==this.moment&&step!==dots&&page.now!==!0}stepOf(record){let{page}=this;return record.within(page.now?page.time.step(page.clock.aim):page.step)}get failure(){let[name,why]=[...this.failures].at(0)??[];return name?`Drawing the ${name} failed (${why}). The other parts are right; reload the page to draw it again.`:""}draw(){let{page}=this,{time,step}=page,runs=this.shown(),words=told(runs,step,time.steps.at(-1)??0),more=this.grow();this.stale&&this.lay(runs),this.part("time",()=>this.drawTime(words)),this.part("cloud",()=>this.drawClouds(step,words)),this.part("curves",()=>{this.curves.show(runs,this.head,page.now===!0),markStep(this.curves.root,this.moment)}),this.part("plane",()=>{this.plane.show(runs,this.head),markStep(this.plane.root,this.moment)}),this.part("sentences",()=>this.read(runs,step)),page.layout.drawn(runs,step),more&&page.draw()}drawTime(words){let{page}=this,{time,clock}=page;this.transport.show(clock.t,time.last,words,page.now);let{fork}=this.transport;fork.disabled=page.records[0].recorded||!page.records[0].id||page.now===!0;let text=`Fork at ${steps(this.forkStep)}`,title="Start a new run from this step with the present settings. It first repeats the steps since the last checkpoint.";page.now===!0?(text="Fork",title="The newest step is shown. Move the time back to fork an earlier step."):fork.hasAttribute("data-asks")&&(text="End the run and fork?",title="A run is active. Click again to end it and to start the new run; Escape leaves it alone."),write(fork,text),attribute(fork,"title",title),write(this.transport.words,page.panel?`step ${steps(this.moment)}`:`step ${steps(this.moment)} of ${steps(Math.max(this.moment,time.steps.at(-1)??0))}`),markStep(this.transport.words,this.moment)}lay(runs){let{page}=this;this.stale=!1;let{unlike}=page.records[0],previous=runs.length>1||unlike?.previous?null:page.runs.previous;this.part("curves",()=>{page.panel||this.curves.hideEmpty(page.records),this.curves.lay(runs,previous,unlike?.band?{}:page.bands?.columns)});let[first]=runs[0].record.history.trail().points,recorded=!page.records[0].recorded&&previous?.recorded?previous.history.trail().points.at(-1):null;this.part("plane",()=>this.plane.lay(runs,previous,{...first?{untrained:first}:{},...recorded?{recorded}:{}}));let moments=page.records.flatMap(record=>record.history.events.map(event=>page.time.t(event.step)));this.transport.mark(moments,page.time.last)}grow(){let{page}=this,{clock,time}=page,newest=Math.max(...page.records.map(record=>record.last)),atEnd=clock.t>=time.last&&!clock.goal,goal=page.now===!0||atEnd?Math.max(newest,page.step):page.step,now=performance.now(),passed=Math.min(100,now-(this.grown??0));this.grown=now;let still=clock.still.matches||page.now!==!0||document.hidden||goal<this.head;return this.head=still||Math.abs(goal-this.head)<.02?goal:goal+(this.head-goal)*Math.exp(-passed/GROWS),this.head!==goal}begin(){this.arrange(),this.stale=!0}box(){let{page}=this,goal=frame(page.records,page.view);if(!this.frame||!page.clock.goal)this.frame=[...goal];else{let{began}=page.clock.goal;this.began!==began&&([this.began,this.from]=[began,[...this.frame]]),this.frame=goal.map((side,i)=>this.from[i]+(side-this.from[i])*page.clock.part)}return this.frame}drawClouds(step,words){let{page}=this,{view:view2,dark,inks,selection,clock,strokes:forces}=page,moving=clock.playing||clock.goal,moment={step,view:view2,words,dark,inks,forces,still:!moving,box:this.box(),read:page.panel,start:moving&&!page.panel?page.time.step(Math.max(0,clock.t-TAIL)):null,dimmed:!!forces&&this.elsewhere(forces.step)};this.clouds.forEach((cloud,run)=>{let record=page.records[run],at=this.stepOf(record),own=run?[]:page.ownPlaces(at).map(one2=>({...one2,dimmed:this.elsewhere(one2.step)}));cloud.draw(scene(record,run,selection,{...moment,own})),markStep(cloud.root,at,this.elsewhere(at)),write(cloud.when,at===this.moment?"":`step ${steps(at)}`),write(cloud.note,this.note(record,step,run)),attribute(cloud.note,"title",cloud.note.textContent),write(cloud.trend,page.panel?"":record.trend(step))})}note(record,step,run){let{page}=this,{strokes,umap,view:view2}=page,beside=page.panel&&this.slots.length>1,own=view2.kind==="umap"&&!run&&page.own.length&&!record.recorded?"; your own stand among their nearest":"",map2=umap?.working?COMPUTING:holds(record,step,view2,this.slots.length>1)+own,compared=page.panel&&beside===run>0?record.changes:"",differs=compared&&record.unlike?.previous?`previous run not drawn: ${record.unlike.previous}`:compared,name=record.recorded?"recorded run":record.name;return[beside&&run?name:"",run||!strokes||strokes.step===this.moment?"":`forces at step ${steps(strokes.step)}`,...umap?.working||view2.kind==="umap"?[map2,differs]:[differs,map2],run&&page.apart?"axes of its own":""].filter(Boolean).join(" · ")}read(runs,step){let{page}=this,{selection,dark}=page,read=line(selection,page.panel?"Point at a dot to read its sentence; click it to see what pulls and what pushes.":"Point at a dot to read it.");this.reading.report(read,dark),this.reading.root.toggleAttribute("data-idle",read.sentence===void 0);let sentence=page.panel?read.sentence??-1:selection.chosen.at(-1)??-1,all=lists(runs,selection,sentence,step,this.moment,!page.panel),columns=page.panel&&runs.length>1?all.filter(({when})=>when==="now"):all,hint=selection.query?"":HINT;this.reading.list(columns,dark,page.panel?"":page.said||hint)}};function together(records){let numbers2=new Map,texts=[],ofRow=records.map(record=>{let seen=new Map;return record.texts.map(text=>{let count2=seen.get(text)??0;seen.set(text,count2+1);let key=`${count2}
${text}`;return numbers2.has(key)||(numbers2.set(key,texts.length),texts.push(text)),numbers2.get(key)})}),rowOf=ofRow.map(numbers_=>{let rows=new Int32Array(texts.length).fill(-1);for(let[row,sentence]of numbers_.entries())rows[sentence]=row;return rows});return{texts,ofRow,rowOf}}function differ(records,{texts,rowOf}){let[one2,two]=records;if(one2.axes!==two.axes||!one2.probes.length||!two.probes.length)return!0;let[a,b]=records.map(record=>record.unpacked(0));return texts.some((_,sentence)=>{let[i,j]=[rowOf[0][sentence],rowOf[1][sentence]];return i>=0&&j>=0&&[0,1].some(axis=>axis<one2.axes&&Math.abs(a[i*one2.axes+axis]-b[j*one2.axes+axis])>.01)})}function byName(names){let counts=new Map;for(let name of names)name!==null&&name!==""&&counts.set(name,(counts.get(name)??0)+1);let kept=[...counts].sort((a,b)=>b[1]-a[1]||(a[0]<b[0]?-1:1)).slice(0,DISTINCT).map(([name])=>name).sort((a,b)=>a<b?-1:1),place=new Map(kept.map((name,group)=>[name,group])),of=Int16Array.from(names,name=>place.get(name)??-1),groups=kept.map((name,group)=>({group,name,count:counts.get(name)})),others=of.filter(group=>group<0).length;return others&&groups.push({group:-1,name:"other",count:others}),{groups,of}}function grouped(records,shared){let names=new Array(shared.texts.length).fill(null);for(let[run,record]of records.entries())for(let[row,label]of(record.labels??[]).entries())names[shared.ofRow[run][row]]??=label;return byName(names.some(Boolean)?names:names.fill("sentences"))}var Selection=class{constructor(records,shared,changed){Object.assign(this,{records,shared,changed,hidden:new Set,hover:-1,query:"",hot:null,pinned:null}),this.groups=grouped(records,shared),this.chosen=[]}get lit(){return this.hot??this.pinned}set(changes){Object.assign(this,changes),this.changed()}light(group){group!==this.hot&&this.set({hot:group})}pin(group){this.set({pinned:this.pinned===group?null:group})}toggle(group){this.hidden.delete(group)||this.hidden.add(group),this.changed()}only(group){this.set({hidden:new Set(this.groups.groups.map(one2=>one2.group).filter(one2=>one2!==group))})}point(sentence){sentence!==this.hover&&this.set({hover:sentence})}choose(sentence,more=!1){let{chosen}=this;sentence<0?this.chosen=more?chosen:[]:more?this.chosen=chosen.includes(sentence)?chosen.filter(one2=>one2!==sentence):[...chosen,sentence]:this.chosen=[sentence],this.changed()}example(){let[record]=this.records,{of}=this.groups,ofRow=this.shared.ofRow[0],alike=(probe,row)=>record.near(probe,row).filter(one2=>of[ofRow[one2]]>=0&&of[ofRow[one2]]===of[ofRow[row]]).length,last=record.probes.length-1,gains=record.texts.map((_,row)=>alike(last,row)-alike(0,row));return gains.length?[ofRow[gains.indexOf(Math.max(...gains))]]:[]}next(){let fits=this.shared.texts.flatMap((_,sentence)=>this.fits(sentence)?[sentence]:[]),now=this.chosen.at(-1)??-1;this.query&&fits.length&&this.choose(fits.find(one2=>one2>now)??fits[0])}fits(sentence){return!this.query||this.shared.texts[sentence].toLowerCase().includes(this.query)}faint(sentence){return this.lit!==null&&this.groups.of[sentence]!==this.lit||!this.fits(sentence)}};function onKeys(target,page){let onKey=event=>{if(event.defaultPrevented||event.ctrlKey||event.metaKey||event.altKey)return;let{tagName="",type}=event.target,ranges=tagName==="INPUT"&&type==="range"&&!event.target.classList.contains("time"),writes=tagName==="INPUT"&&type!=="range"&&type!=="checkbox"||tagName==="SELECT"||tagName==="TEXTAREA";if(event.key==="Escape")page.layout.escape();else{if(writes)return;if(!act(event,page,tagName==="BUTTON"||event.target.getAttribute?.("role")==="button",ranges))return}consume(event)};return target.addEventListener("keydown",onKey),()=>target.removeEventListener("keydown",onKey)}function act(event,page,button,ranges){let{transport}=page.picture,many=event.shiftKey?10:1,found={" ":button?null:()=>transport.toggle(),...ranges?{}:{ArrowRight:()=>transport.step(1,many),ArrowLeft:()=>transport.step(-1,many),Home:()=>{page.clock.glide(0),page.moved()},End:()=>page.toNow()},...page.panel?page.layout.knobs.keys():{}}[event.key];return found?(found(),!0):!1}var INKS=["ground","ink","soft","accent","was","trouble"],Page=class{constructor(model){let about=model.get("about")??{},runs=model.get("runs")??[];if(this.about=about,this.panel=about.mode==="panel",this.runs=new Runs(Math.max(1,runs.length,about.runs??1)),this.view={kind:"pca",x:0,y:1},this.following=this.panel,this.own=[],this.said="",this.clock=new Clock(()=>this.time.last,()=>this.draw(),()=>this.draw()),this.rebuild(!1),this.root=element("section",{class:`clwork-look clwork-instrument ${this.panel?"panel":"player"}`,"aria-label":`${about.method?.title??"a run"}, training and its pictures`}),this.picture=new Picture(this),this.layout=new Layout(this),this.root.append(this.layout.root,this.layout.help.box),this.root.instrument=this,this.stopKeys=onKeys(model.get("page")?document:this.root,this),runs.length&&this.take({runs}),!this.panel){this.save=followAddress(this.root,"run",text=>this.restore(text));return}this.channel=new Channel(model,{known:()=>({...this.versions,runs:this.runs.known(this.columns),previous:this.runs.previous?.id??""}),take:news=>this.take(news),lively:()=>this.lively,refused:(why,name)=>this.refuse(why,name),standing:(state,since)=>this.layout.stand(state,since)})}get columns(){return this.further?[this.further]:[]}column(name){if(!(this.further===name||!this.measurements?.columns.some(([one2])=>one2===name))){this.further=name;for(let record of this.records)record.reload=!0;this.channel?.ask()}}get lively(){return!!this.runState?.alive||this.records.some(record=>record.alive)||["umap","forces"].some(name=>this[name]?.working)}take(news){this.versions={...this.versions};for(let[name,part]of Object.entries(news))part?.version!==void 0&&(this.versions[name]=part.version);let step=this.step,found=this.runs.take(news.runs??[]);news.previous&&this.runs.takePrevious(news.previous);for(let name of["settings","bands","forces","measurements"])news[name]&&(this[name]=news[name]);news.state&&(this.runState=news.state),news.typed&&(this.own=news.typed.sentences??[]),news.umap&&this.lay(news.umap),news.measurements&&this.picture.curves.offer(news.measurements.columns),news.said&&(this.said=news.said),found.replaced?this.rebuild(!0):found.probes&&this.addProbes(step),news.forces&&this.layout.knobs?.forces(news.forces);let chosen=this.selection.chosen.at(-1);found.probes&&this.panel&&chosen!==void 0&&this.askForces(chosen),this.layout.take(news,found),(found.replaced||found.probes||found.rows||news.previous||news.bands)&&(this.picture.stale=!0),this.draw()}rebuild(drawn2){let records=this.records,held=this.selection;this.shared=together(records),this.apart=records.length>1&&differ(records,this.shared),this.selection=new Selection(records,this.shared,()=>this.draw()),held&&held.shared.texts.join(`
`)===this.shared.texts.join(`
`)?Object.assign(this.selection,{chosen:held.chosen,pinned:held.pinned}):!this.panel&&this.shared.texts.length&&(this.selection.chosen=this.selection.example()),this.time=new Timeline(records),this.forces=this.strokes=null,this.layout?.knobs?.forces(null),this.view={...this.view,kind:this.hasUmap?"umap":"pca"},this.view.y=Math.min(1,Math.max(0,(records[0].axes||2)-1));let end=this.panel&&!records[0].recorded;this.clock.jump(end?this.time.last:0),this.following=end,drawn2&&(this.picture.begin(),this.layout.begin(),this.panel&&records[0].recorded&&this.clock.play(4))}addProbes(step){let follow=this.following&&!this.clock.playing;this.time.refresh(),this.clock.t=this.time.t(step),follow&&this.clock.glide(this.time.last)}get records(){return this.runs.records}act(name,more={}){if(!this.channel)return Promise.resolve(!1);this.said="",this.layout.knobs?.pending(name);let done=this.channel.command(name,more);return done.then(()=>{this.layout.knobs?.settled(name),this.layout.report()}),done}markSetting(name,before){let[record]=this.records,field=this.about.fields?.find(one2=>one2.name===name),now=this.settings?.controls[name];!record.alive||record.recorded||!field?.hot||!now||now.wrong||now.text===before||(record.expect(`${name.replaceAll("_"," ")} → ${now.text}`),this.picture.stale=!0,this.draw())}refuse(why,name){name!=="set"&&(this.said=why),this.layout.knobs?.refuse(why,name),this.layout.report(),this.draw()}turn(view2){this.view=view2,this.picture.frame=null,this.draw()}get hasUmap(){return this.records.every(record=>record.umap)}lay(umap){let wanted=this.umap?.working;if(this.umap=umap,umap.refused)return this.refuse(umap.refused,"umap");umap.measurements&&this.records[0].lay(umap),wanted&&this.hasUmap&&this.turn({...this.view,kind:"umap"})}kind(kind){let late=this.panel&&this.view.kind==="umap"&&this.records.some(record=>record.outgrown);return kind==="umap"&&(late||!this.hasUmap)?(this.umap={working:!0},this.act("umap").then(done=>{done||(this.umap=null),this.draw()}),this.draw()):this.turn({...this.view,kind})}choose(sentence,more){this.selection.choose(sentence,more),this.panel&&(this.forces=this.strokes=null,this.layout.knobs?.forces(null),sentence>=0&&!more&&this.askForces(sentence))}askForces(sentence){let row=this.shared.rowOf[0][sentence];row>=0&&!this.records[0].recorded&&this.act("forces",{row})}moved(){this.following=this.panel&&!this.clock.playing&&this.clock.aim>=this.time.last,this.draw()}toNow(){this.following=this.panel,this.clock.glide(this.time.last)}get step(){return this.time.step(this.clock.t)}get now(){return this.records.some(record=>record.alive)?this.following:null}ownPlaces(shown){let[record]=this.records;return record.recorded?[]:this.own.flatMap(({text,step,at})=>{let places=at&&view(at).byteLength?floats(at,record.scale):[],place=places.length===record.axes?record.placeOf(places,step,this.view):null;return place?[{text,step,told:step===shown?"":` (step ${step})`,x:place[0],y:place[1]}]:[]})}get settingsText(){let{view:{kind,x,y},selection:{chosen}}=this;return[Math.round(this.step),kind,x,y,chosen.at(-1)??-1].join(" ")}restore(text){let[step,kind,x,y,chosen]=text.split(" "),[record]=this.records;this.clock.jump(this.time.t(Number(step)||0));let axis=value2=>Math.min(record.axes-1,Number(value2)||0);this.turn({kind:kind==="umap"&&record.umap?kind:"pca",x:axis(x),y:axis(y)}),Number(chosen)<this.shared.texts.length&&this.choose(Number(chosen))}positions(run=0){return[...this.records[run].places(this.step,this.view)]}paint(dark){this.dark=dark,this.readInks(),this.draw()}readInks(){let style=getComputedStyle(this.root);this.inks=Object.fromEntries(INKS.map(name=>[name,style.getPropertyValue(`--${name}`).trim()]))}draw(){this.asked||!this.layout||(this.asked=requestAnimationFrame(()=>{this.asked=0,this.inks.ground||this.readInks(),this.picture.draw(),this.save?.(this.settingsText)}))}close(){this.channel?.close(),this.clock.close(),cancelAnimationFrame(this.asked),this.stopKeys(),clearTimeout(this.layout.later)}};var panel_default=`/* A panel: commands above, the formula and its numbers, the cloud as the largest part, charts and movers at the right. */
.clwork-instrument.panel {
  --height: clamp(584px, calc(100vh - 136px), 1080px);
  min-height: 584px;
}
.clwork-instrument.panel .stage {
  position: relative;
  display: grid;
  height: var(--height);
  min-height: 584px;
  padding: 8px;
  column-gap: 16px;
  row-gap: 0;
  grid-template-columns: minmax(0, 62fr) minmax(0, 38fr);
  grid-template-rows: 32px 8px 80px 8px minmax(0, 1fr) 28px 32px;
  grid-template-areas: "control control" ". ." "formula knobs" ". ." "cloud side" "verdict side" "transport side";
}
.clwork-instrument .clwork-control {
  grid-area: control;
  display: flex;
  align-items: center;
  gap: 8px;
  min-width: 0;
}
.clwork-instrument .method-name {
  flex: 0 1 auto;
  min-width: 64px;
  overflow: hidden;
  text-overflow: ellipsis;
  font-size: var(--large);
  font-weight: 600;
  line-height: 32px;
  color: var(--ink);
  text-decoration: none;
  white-space: nowrap;
  padding-right: 8px;
}
.clwork-instrument a.method-name:hover {
  text-decoration: underline;
}
.clwork-instrument .clwork-control > button {
  height: var(--control);
  flex: none;
}
.clwork-instrument .clwork-start {
  width: 96px;
  font-weight: 600;
}
.clwork-instrument button.clwork-start,
.clwork-instrument button.clwork-start:hover:not(:disabled) {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--on-accent);
}
.clwork-instrument button.clwork-start:active:not(:disabled) {
  background: color-mix(in srgb, var(--accent) 80%, var(--ground));
}
.clwork-instrument :is(.clwork-step, .clwork-stop) {
  width: 32px;
  padding: 0;
  line-height: 1;
}
.clwork-instrument .clwork-speed {
  flex: none;
  width: 128px;
}
.clwork-instrument .clwork-progress {
  flex: 1 0 224px;
  min-width: 0;
  display: flex;
  flex-direction: column;
  justify-content: center;
  gap: 2px;
  position: relative;
}
.clwork-instrument .bar {
  height: 8px;
  border-radius: 4px;
  background: var(--band);
  overflow: hidden;
  border: 1px solid var(--rule);
}
.clwork-instrument .bar-done {
  height: 100%;
  background: var(--accent);
  transform-origin: left;
  transform: scaleX(0);
  transition: transform 300ms ease-out;
}
.clwork-instrument .bar[data-busy="true"] .bar-done {
  background: repeating-linear-gradient(100deg, var(--accent) 0 12px, var(--tint) 12px 24px);
  animation: clwork-stripes 800ms linear infinite;
  transition: none;
}
@keyframes clwork-stripes {
  from {
    background-position: 0 0;
  }
  to {
    background-position: 24.37px 0;
  }
}
.clwork-instrument .state-row {
  display: flex;
  gap: 16px;
  align-items: center;
  height: 20px;
}
.clwork-instrument .clwork-left {
  flex: none;
  margin-left: auto;
  white-space: nowrap;
  font-size: var(--small);
}
.clwork-instrument .clwork-setup {
  max-width: 28cqw;
  display: flex;
  align-items: center;
  gap: 8px;
}
.clwork-instrument .chip-text {
  flex: 1;
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  text-align: left;
}

.clwork-instrument .clwork-state {
  display: flex;
  align-items: center;
  gap: 8px;
  min-width: 0;
  flex: 1;
}
.clwork-instrument .state-text {
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.clwork-instrument button.state-more {
  flex: none;
  height: 20px;
  padding: 0 8px;
  border-radius: 4px;
  font-size: var(--small);
  line-height: 18px;
  color: var(--soft);
}
.clwork-instrument .clwork-state[data-open] {
  position: absolute;
  inset: 10px 0 auto;
  z-index: 15;
  align-items: start;
  padding: 4px 8px;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--raised);
}
.clwork-instrument .clwork-state[data-open] .state-text {
  white-space: normal;
  overflow: visible;
  overflow-wrap: anywhere;
  flex: 1;
}
.clwork-instrument .state-sign:empty {
  display: none;
}
.clwork-instrument .clwork-state[data-trouble="true"] {
  color: var(--trouble);
}
/* Before the first start only what leads to it is shown. */
.clwork-instrument.panel[data-ready]
  :is(
    .bar,
    .clwork-step,
    .clwork-stop,
    .clwork-compare,
    .clwork-own,
    .kinds,
    .tabs,
    .clwork-transport .key + .key,
    .clwork-fork,
    .live,
    .curve-hint,
    .clwork-reading[data-idle],
    .movers-list li:nth-child(n + 3)
  ) {
  display: none;
}

.clwork-instrument .clwork-formula {
  grid-area: formula;
  position: relative;
  display: flex;
  align-items: center;
  justify-content: safe center;
  padding: 4px 8px;
  border-radius: 8px;
  background: var(--raised);
  min-width: 0;
  overflow: auto hidden;
  scrollbar-width: none;
}
.clwork-instrument math {
  font-family: "clwork math", "STIX Two Math", "Latin Modern Math", "Cambria Math", math;
}
.clwork-instrument .clwork-formula math {
  display: block math;
  width: max-content;
  flex: none;
  margin: 0;
}
.clwork-instrument .clwork-formula math * {
  pointer-events: none;
} /* a tall font covers the numbers above it */
.clwork-instrument .clwork-formula math [data-field] {
  pointer-events: auto;
  color: var(--accent);
  cursor: ew-resize;
  border-radius: 4px;
  text-decoration: underline dotted;
  touch-action: pan-y;
  user-select: none;
}
.clwork-instrument math [data-field][role="button"] {
  cursor: pointer;
}
.clwork-instrument math [data-field]:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.clwork-instrument math [data-lit],
.clwork-instrument .clwork-knob[data-lit] .knob-name {
  background: var(--tint);
  color: var(--accent);
  border-radius: 4px;
}
.clwork-instrument .clwork-formula > .at-step {
  position: absolute;
  right: 8px;
  top: 4px;
}
.clwork-instrument .clwork-formula[data-numbers="true"] {
  background: var(--tint);
}

.clwork-instrument .knobs {
  grid-area: knobs;
  font-size: var(--small);
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0 16px;
  align-content: space-between;
  min-width: 0;
}
.clwork-instrument .clwork-knob {
  position: relative;
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  column-gap: 8px;
  align-items: center;
  min-width: 0;
  height: 24px;
}
.clwork-instrument .knob-name {
  display: flex;
  gap: 4px;
  align-items: baseline;
  line-height: 20px;
  white-space: nowrap;
  overflow: hidden;
  min-width: 0;
}
.clwork-instrument .knob-title {
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .clwork-knob input.knob-box[type="text"] {
  width: 56px;
  height: 24px;
  padding: 0 6px;
  text-align: right;
}
.clwork-instrument .clwork-knob input.knob-number[type="text"]:not(:focus) {
  cursor: ew-resize;
  touch-action: pan-y;
  background: linear-gradient(to right, var(--tint) var(--done, 0%), var(--raised) var(--done, 0%));
}
.clwork-instrument .clwork-knob.text input.knob-box[type="text"] {
  width: 120px;
}
.clwork-instrument .clwork-knob.choice select.knob-box {
  height: 24px;
  max-width: 100px;
  padding: 0 2px;
}
.clwork-instrument .clwork-knob.bool .knob-box {
  justify-self: end;
  width: 16px;
  height: 16px;
  accent-color: var(--accent);
}
.clwork-instrument .knobs .knob-note {
  position: absolute;
  z-index: 10;
  top: 24px;
  left: 0;
  right: 0;
  padding: 2px 6px;
  border: 1px solid var(--edge);
  border-radius: 4px;
  background: var(--raised);
  font-size: var(--small);
  line-height: var(--line-small);
  visibility: hidden;
}
.clwork-instrument .knobs .clwork-knob:is(:hover, :focus-within, .wrong) .knob-note:not(:empty) {
  visibility: visible;
}
.clwork-instrument .clwork-drawer .clwork-knob {
  height: auto;
  min-height: 32px;
}
.clwork-instrument .clwork-drawer .knob-note {
  grid-column: 1 / -1;
  font-size: var(--small);
  line-height: var(--line-small);
  color: var(--soft);
}
.clwork-instrument .clwork-knob.idle > :not(.knob-note) {
  opacity: 0.55;
}
.clwork-instrument .clwork-knob :disabled {
  opacity: 1;
}
.clwork-instrument .clwork-knob.off > .knob-box {
  opacity: 0.55;
}
.clwork-instrument .clwork-knob.wrong input.knob-box[type="text"] {
  border: 2px solid var(--trouble);
  background: var(--tint-trouble);
}
.clwork-instrument .clwork-knob.waits input.knob-box[type="text"] {
  background: repeating-linear-gradient(100deg, var(--tint) 0 6px, var(--raised) 6px 12px);
}
.clwork-instrument .clwork-knob.wrong .knob-note {
  color: var(--trouble);
}
.clwork-instrument .clwork-knob.wrong .knob-note::before {
  content: "⚠ ";
}

.clwork-instrument .clwork-verdict {
  grid-area: verdict;
  display: flex;
  gap: 8px;
  align-items: center;
  justify-content: center;
  min-width: 0;
  font-size: min(var(--large), 1.7cqw);
  line-height: 24px;
  white-space: nowrap;
  border-radius: 8px;
}
.clwork-instrument .clwork-verdict > .at-step {
  display: block;
  min-width: 48px;
} /* so that the sentence stays where it is */
.clwork-instrument [data-sign="good"] .verdict-sign {
  color: var(--accent);
}
.clwork-instrument [data-sign="bad"] {
  color: var(--trouble);
}

.clwork-instrument.panel .clouds {
  grid-area: cloud;
}
.clwork-instrument input.clwork-own[type="text"] {
  width: 208px;
  flex-shrink: 1;
}
.clwork-instrument .kinds {
  width: 112px;
}
.clwork-instrument.panel .clwork-transport {
  grid-area: transport;
}
.clwork-instrument.panel .told {
  width: 72px;
}
.clwork-instrument .clwork-fork {
  width: auto;
}
.clwork-instrument .clwork-fork[data-asks] {
  border: 2px solid var(--trouble);
  color: var(--trouble);
}
.clwork-instrument.panel .pace {
  display: none;
}
.clwork-instrument.panel .clwork-reading {
  grid-area: cloud;
  align-self: end;
  z-index: 2;
  margin: 1px;
  padding: 2px 8px;
  border-radius: 0 0 8px 8px;
  background: color-mix(in srgb, var(--ground) 88%, transparent);
  pointer-events: none;
}
.clwork-instrument .lists.brief {
  font-size: var(--small);
  line-height: var(--line-small);
}
.clwork-instrument .lists.brief .hint {
  display: none;
}
.clwork-instrument .near-line {
  display: flex;
  gap: 8px;
  min-width: 0;
  white-space: nowrap;
  overflow: hidden;
}
.clwork-instrument .near-line.then {
  color: var(--was);
}
.clwork-instrument .near-when {
  font-weight: 600;
  flex: none;
}
.clwork-instrument .near-word {
  overflow: hidden;
  text-overflow: ellipsis;
  flex: 0 1 auto;
  min-width: 24px;
}
.clwork-instrument .near-word:nth-child(n + 3) {
  display: none;
}

.clwork-instrument .side {
  grid-area: side;
  display: grid;
  grid-template: auto minmax(160px, 1fr) 8px minmax(232px, 1fr) / minmax(0, 1fr);
  min-width: 0;
  min-height: 0;
}
.clwork-instrument .side-head {
  display: flex;
  justify-content: space-between;
  gap: 8px;
  padding-bottom: 8px;
}
.clwork-instrument .tabs {
  width: 144px;
}
.clwork-instrument .sheets {
  display: flex;
  gap: 8px;
  margin-left: auto;
}
.clwork-instrument .sheets > button {
  height: var(--control);
  white-space: nowrap;
}
.clwork-instrument.panel .right {
  grid-row: 2;
  grid-template: minmax(0, 1fr) / minmax(0, 1fr);
}
.clwork-instrument.panel .curves {
  display: grid;
  grid-template: repeat(2, minmax(0, 1fr)) / repeat(2, minmax(0, 1fr));
  gap: 0 16px;
  min-height: 0;
  min-width: 0;
}
.clwork-instrument .below {
  grid-row: 4;
  min-height: 0;
  min-width: 0;
  display: flex;
  flex-direction: column;
}
.clwork-instrument .below:has(.clwork-sheet:not([hidden])) .clwork-movers {
  display: none;
}
.clwork-instrument .clwork-movers {
  min-height: 0;
  overflow: hidden auto;
}
.clwork-instrument .movers-title {
  line-height: 24px;
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .movers-list {
  list-style: none;
  font-weight: 400;
}
.clwork-instrument .mover {
  display: block;
  width: 100%;
  padding: 2px 4px;
  border: 0;
  border-radius: 4px;
  background: none;
  text-align: left;
  font-size: var(--small);
  line-height: 19px;
}
.clwork-instrument .mover span {
  min-width: 0;
}
.clwork-instrument :is(.mover-text, .mover-near) {
  display: flex;
  gap: 4px;
  align-items: center;
  white-space: nowrap;
  overflow: hidden;
}
.clwork-instrument :is(.mover-text, .mover-near) > span {
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .mover-text {
  font-weight: 600;
}
.clwork-instrument .mover-change {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr);
  gap: 8px;
  padding-left: 20px;
  color: var(--soft);
}
.clwork-instrument .mover-rank {
  color: var(--accent);
  white-space: nowrap;
}

.clwork-instrument .clwork-sheet {
  flex: 1;
  min-height: 0;
  background: var(--raised);
  border: 1px solid var(--edge);
  border-radius: 8px;
  display: flex;
  flex-direction: column;
}
.clwork-instrument .sheet-head {
  flex: none;
  display: flex;
  align-items: center;
  justify-content: space-between;
  padding: 4px 4px 4px 8px;
}
.clwork-instrument .sheet-shut {
  width: 32px;
  height: 32px;
  padding: 0;
}
.clwork-instrument .sheet-body {
  flex: 1;
  min-height: 0;
  overflow: auto;
  padding: 4px 8px 8px;
}
.clwork-instrument :is(.clwork-drawer, .setup-sheet, .forces-sheet) {
  display: flex;
  flex-direction: column;
  gap: 8px;
}
.clwork-instrument .clwork-sheet :is(select, input[type="text"], input[type="search"], textarea) {
  background: var(--ground);
}
.clwork-instrument .sheet-note {
  font-size: var(--small);
  line-height: var(--line-small);
  color: var(--soft);
  overflow-wrap: anywhere;
}
.clwork-instrument .sheet-note:empty {
  display: none;
}
.clwork-instrument .sheet-note[data-wrong="true"] {
  color: var(--trouble);
}
.clwork-instrument .sheet-note[data-wrong="true"]:not(:empty)::before {
  content: "⚠ ";
}
.clwork-instrument .sheet-label {
  display: flex;
  align-items: center;
  gap: 8px;
}
.clwork-instrument .sheet-label > span:first-child {
  flex: none;
  min-width: 64px;
}
.clwork-instrument .sheet-label > :is(select, input) {
  flex: 1;
  min-width: 0;
}
.clwork-instrument .sheet-label.entry {
  flex-direction: column;
  align-items: stretch;
  gap: 0;
  font-size: var(--small);
}
.clwork-instrument .sheet-label.entry > input {
  flex: none;
}
.clwork-instrument .sheet-part {
  display: flex;
  flex-direction: column;
  gap: 4px;
}
.clwork-instrument .sheet-row {
  display: flex;
  gap: 8px;
  align-items: center;
}
.clwork-instrument .small {
  height: 32px;
  flex: none;
}
.clwork-instrument .clwork-drawer .knob-note {
  height: 14px;
}
.clwork-instrument .compare-list {
  list-style: none;
  font-weight: 400;
}
.clwork-instrument .other {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  width: 100%;
  padding: 4px 8px;
  margin-bottom: 4px;
  text-align: left;
  font-size: var(--small);
  line-height: var(--line-small);
  background: var(--ground);
}
.clwork-instrument .other > * {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.clwork-instrument .other-differs {
  font-weight: 600;
}
.clwork-instrument .other-about {
  grid-column: 1 / -1;
  color: var(--soft);
}
.clwork-instrument .other[aria-pressed="true"] {
  background: var(--tint);
  border-color: var(--run-1);
  box-shadow: inset 4px 0 0 var(--run-1);
}
.clwork-instrument .forces-list {
  list-style: none;
  font-weight: 400;
}
.clwork-instrument .force {
  display: flex;
  gap: 8px;
  width: 100%;
  padding: 2px 4px;
  border: 0;
  background: none;
  font-size: var(--small);
  line-height: var(--line-small);
  text-align: left;
}
.clwork-instrument .force-text {
  flex: 1;
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.clwork-instrument .force-number {
  flex: none;
}
.clwork-instrument .pull .force {
  border-left: 3px solid var(--accent);
  border-radius: 0;
}
.clwork-instrument .push .force {
  border-left: 3px dashed var(--ink);
  border-radius: 0;
}

@container clwork (min-width: 1400px) {
  .clwork-instrument.panel .stage {
    grid-template-rows: 32px 8px 104px 8px minmax(0, 1fr) 32px 32px;
  }
  .clwork-instrument .clwork-knob {
    height: 28px;
  }
  .clwork-instrument .near-word:nth-child(n + 3) {
    display: inline;
  }
}
@container clwork (max-width: 839px) {
  .clwork-instrument.panel {
    --height: auto;
  }
  .clwork-instrument.panel .stage {
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: auto;
    grid-auto-rows: auto;
    row-gap: 8px;
    grid-template-areas: "control" "formula" "knobs" "cloud" "verdict" "transport" "side";
  }
  .clwork-instrument.panel .clwork-control {
    flex-wrap: wrap;
  }
  .clwork-instrument .clwork-progress {
    order: 1;
    flex: 1 0 100%;
  }
  .clwork-instrument .clwork-control > .clwork-setup {
    flex: 1 1 160px;
    max-width: none;
  }
  .clwork-instrument .clwork-state .state-text {
    white-space: normal;
  }
  .clwork-instrument .state-row {
    height: auto;
    min-height: 20px;
  }
  .clwork-instrument.panel .clwork-formula {
    height: 80px;
  }
  .clwork-instrument.panel .clouds {
    height: min(100cqw, 400px);
  }
  .clwork-instrument .clwork-verdict {
    font-size: var(--large);
    white-space: normal;
    text-align: center;
    text-wrap: balance;
  }
  .clwork-instrument .side {
    grid-template-rows: auto 256px 8px auto;
  }
  .clwork-instrument .clwork-sheet {
    height: 480px;
  }
}
@container clwork (max-width: 559px) {
  .clwork-instrument .stage {
    --control: 40px;
  }
  .clwork-instrument .knobs {
    grid-template-columns: minmax(0, 1fr);
  }
  .clwork-instrument .clwork-knob {
    height: 32px;
  }
  .clwork-instrument .clwork-control :is(.clwork-step, .clwork-stop) {
    width: 40px;
  }
  .clwork-instrument input.clwork-own[type="text"] {
    width: 0;
    flex: 1 1 100px;
  }
  .clwork-instrument.panel .cloud-note {
    display: none;
  }
  .clwork-instrument .clwork-fork[data-asks] {
    width: 96px;
    padding: 0 4px;
    font-size: var(--small);
    line-height: 14px;
    white-space: normal;
  }
  .clwork-instrument :is(.mover-text, .mover-near, .movers-title, .panel .line-text, .near-word) {
    white-space: normal;
  }
  .clwork-instrument.panel .told {
    width: auto;
  }
  .clwork-instrument .cloud-head {
    height: 40px;
  }
}
`;var player_default=`/* A player: titles above, dots at the left, clouds, curves and plane at the right, time and reading below. */
.clwork-instrument.player {
  --height: 100vh;
  min-height: 480px;
}
.clwork-instrument.player .stage {
  --fits: no; /* in a frame it is as high as that, or, where narrow, as its content */
  display: grid;
  gap: 8px;
  padding: 8px;
  height: var(--height);
  min-height: 480px;
  grid-template: "titles titles titles" 24px "dots clouds right" minmax(0, 1fr) "transport transport transport" 32px "reading reading movers" auto / clamp(
      144px,
      15cqw,
      200px
    ) minmax(0, 1fr) clamp(240px, 28cqw, 480px);
}
.clwork-instrument .clwork-titles {
  grid-area: titles;
  display: flex;
  gap: 8px;
  min-width: 0;
  white-space: nowrap;
  overflow: hidden;
}
.clwork-instrument .runs {
  display: flex;
  gap: 16px;
  min-width: 0;
  flex: 0 1 auto;
}
.clwork-instrument .run {
  display: flex;
  align-items: baseline;
  gap: 8px;
  min-width: 0;
}
.clwork-instrument .run-title {
  font-size: var(--large);
  line-height: 24px;
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .run-stand {
  color: var(--soft);
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .run-said {
  margin-left: auto;
  color: var(--soft);
  overflow: hidden;
  text-overflow: ellipsis;
  line-height: 24px;
}
.clwork-instrument .dots {
  grid-area: dots;
  display: flex;
  flex-direction: column;
  gap: 4px;
  min-height: 0;
  min-width: 0;
}
.clwork-instrument .dots .field {
  display: flex;
  align-items: center;
  gap: 4px;
  color: var(--soft);
  font-size: var(--small);
}
.clwork-instrument .dots .field > span {
  flex: none;
  width: 40px;
}
.clwork-instrument .dots .field select {
  flex: 1 1 0;
  width: 0;
  color: var(--ink);
  padding: 0 4px;
}
.clwork-instrument .dots > input {
  flex: none;
  width: 100%;
}
.clwork-instrument .legend {
  flex: 1;
  display: flex;
  flex-direction: column;
  gap: 8px;
  min-height: 0;
}
.clwork-instrument .legend-list {
  display: flex;
  flex-direction: column;
  overflow: auto;
  min-height: 0;
}
.clwork-instrument .group {
  flex: none;
  display: flex;
  align-items: center;
  gap: 4px;
  width: 100%;
  height: 24px;
  padding: 0 4px;
  border: 0;
  border-radius: 4px;
  background: none;
  text-align: left;
  font-size: var(--small);
}
.clwork-instrument .group:focus-visible {
  outline-offset: -2px;
}
.clwork-instrument .group-name {
  flex: 1;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.clwork-instrument .group-count {
  color: var(--soft);
}
.clwork-instrument .group[aria-pressed="false"] {
  opacity: 0.5;
}
.clwork-instrument .group[aria-pressed="false"] .group-name {
  text-decoration: line-through;
}
.clwork-instrument .legend-foot {
  flex: none;
  display: flex;
  flex-direction: column;
  gap: 4px;
}
.clwork-instrument.player .small {
  height: 24px;
  font-size: var(--small);
}
.clwork-instrument .clouds {
  grid-area: clouds;
  display: flex;
  gap: 8px;
  min-width: 0;
  min-height: 0;
}
.clwork-instrument .clouds > .clwork-cloud {
  flex: 1;
}
.clwork-instrument.player .cloud-head {
  left: 8px;
}
.clwork-instrument.player .cloud-note {
  text-align: left;
}
.clwork-instrument.player .cloud-trend {
  position: absolute;
  left: 8px;
  right: 8px;
  top: 32px;
  pointer-events: none;
}
.clwork-instrument.player .right {
  grid-area: right;
  grid-template-rows: repeat(var(--curves, 3), minmax(40px, 1fr)) minmax(96px, 1.4fr);
  gap: 4px;
}
.clwork-instrument.player .clwork-transport {
  grid-area: transport;
}
.clwork-instrument.player .told {
  min-width: 12em;
}
.clwork-instrument.player .pace {
  flex: none;
}
.clwork-instrument.player .live:disabled {
  display: none;
}
.clwork-instrument.player .clwork-reading {
  grid-area: reading;
  padding-top: 4px;
  border-top: 1px solid var(--rule);
}
.clwork-instrument.player .clwork-movers {
  grid-area: movers;
  max-height: 152px;
  padding-top: 4px;
  border-top: 1px solid var(--rule);
}
.clwork-instrument.player .movers-title {
  font-size: var(--small);
  line-height: 20px;
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .lists:not(.brief) {
  display: grid;
  grid-auto-flow: column;
  grid-auto-columns: minmax(0, 1fr);
  gap: 16px;
  height: 120px;
  overflow: hidden;
}
.clwork-instrument .list {
  min-width: 0;
}
.clwork-instrument .list-title {
  font-weight: 600;
  font-size: var(--small);
  line-height: 20px;
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .list ol {
  list-style: none;
  font-weight: 400;
}
.clwork-instrument .near {
  display: flex;
  align-items: center;
  gap: 4px;
  width: 100%;
  height: 20px;
  padding: 0 2px;
  border: 0;
  border-radius: 4px;
  background: none;
  text-align: left;
  font-size: var(--small);
}
.clwork-instrument .near:focus-visible {
  outline-offset: -2px;
}
.clwork-instrument .near-text {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.clwork-instrument .fresh {
  flex: none;
  margin-left: auto;
  padding: 0 4px;
  border-radius: 8px;
  font-size: var(--small);
  color: var(--accent);
  border: 1px solid var(--accent);
  line-height: 14px;
}

@container clwork (max-width: 759px) {
  .clwork-instrument.player {
    --height: auto !important;
  }
  .clwork-instrument.player .stage {
    --fits: yes;
    height: auto;
    grid-template: "titles" auto "clouds" min(90cqw, 460px) "transport" auto "dots" auto "reading" auto "movers" auto "right" auto / minmax(
        0,
        1fr
      );
  }
  .clwork-instrument.player .clwork-movers {
    max-height: none;
  }
  .clwork-instrument.player .right {
    grid-template-rows: repeat(var(--curves, 3), 132px) 240px;
  }
  .clwork-instrument .clwork-titles {
    white-space: normal;
    flex-wrap: wrap;
  }
  .clwork-instrument .runs {
    flex-direction: column;
    gap: 0;
  }
  .clwork-instrument .run {
    flex-wrap: wrap;
    column-gap: 8px;
    row-gap: 0;
  }
  .clwork-instrument .run-title {
    flex: none;
    max-width: 100%;
  }
  .clwork-instrument .legend-list {
    flex-direction: row;
    flex-wrap: wrap;
  }
  .clwork-instrument .group {
    width: auto;
  }
  .clwork-instrument .legend-foot {
    flex-direction: row;
  }
  .clwork-instrument.player .clwork-transport {
    flex-wrap: wrap;
    height: auto;
  }
  .clwork-instrument.player .time-box {
    flex: 1 0 100%;
    order: -1;
  }
  .clwork-instrument.player .told {
    min-width: 0;
    flex: 1;
  }
  .clwork-instrument.player .clwork-movers {
    grid-area: movers;
    max-height: 152px;
    padding-top: 4px;
    border-top: 1px solid var(--rule);
  }
  .clwork-instrument.player .movers-title {
    font-size: var(--small);
    line-height: 20px;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .clwork-instrument .lists:not(.brief) {
    grid-auto-flow: row;
    height: auto;
    min-height: 120px;
  }
}
`;var style_default=`/* The parts that panel and player share; colours and type are in ../shared/look.css. */
.clwork-instrument {
  --run-0: #0b62c4;
  --run-1: #b04a00;
  container: clwork / inline-size;
}
.clwork-instrument[data-theme="dark"] {
  --run-0: #6cb2ff;
  --run-1: #ffab62;
}
.clwork-instrument :is(h3, h4, ol, p) {
  margin: 0;
  padding: 0;
  font-size: inherit;
  font-weight: 600;
}
.clwork-instrument .stage textarea {
  padding: 4px 8px;
  resize: vertical;
  width: 100%;
}
.clwork-instrument ::placeholder {
  color: var(--soft);
  opacity: 1;
}
.clwork-instrument .switch {
  display: flex;
  height: var(--control);
}
.clwork-instrument .switch button {
  flex: 1;
  min-width: 0;
  border-radius: 0;
  color: var(--soft);
}
.clwork-instrument .switch button:first-child {
  border-radius: 8px 0 0 8px;
  border-right: 0;
}
.clwork-instrument .switch button:last-child {
  border-radius: 0 8px 8px 0;
}
.clwork-instrument .switch button[aria-pressed="true"] {
  background: var(--tint);
  color: var(--accent);
}

.clwork-instrument .clwork-cloud {
  position: relative;
  min-width: 0;
  min-height: 0;
  border: 1px solid var(--rule);
  border-radius: 8px;
  overflow: hidden;
  background: var(--ground);
}
.clwork-instrument .cloud-frame,
.clwork-instrument .cloud-canvas {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
}
.clwork-instrument .cloud-canvas {
  cursor: crosshair;
  touch-action: pan-y;
}
.clwork-instrument .cloud-canvas:focus-visible {
  outline-offset: -3px;
  border-radius: 8px;
}
.clwork-instrument .cloud-head {
  position: absolute;
  inset: 4px 4px auto;
  height: 32px;
  display: flex;
  gap: 8px;
  align-items: center;
  pointer-events: none;
}
.clwork-instrument .cloud-head > :is(input, .switch) {
  pointer-events: auto;
  flex: none;
}
.clwork-instrument :is(.cloud-note, .cloud-trend) {
  color: var(--soft);
  font-size: var(--small);
  line-height: var(--line-small);
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .cloud-note {
  flex: 1;
  min-width: 0;
  text-align: center;
}
.clwork-instrument .topics {
  position: absolute;
  inset: 0;
  pointer-events: none;
  overflow: hidden;
}
.clwork-instrument .topic {
  position: absolute;
  left: 0;
  top: 0;
  height: 20px;
  padding: 0 4px 0 0;
  border: 0;
  border-radius: 4px;
  background: none;
  display: flex;
  align-items: center;
  gap: 2px;
  pointer-events: auto;
  font-weight: 600;
  line-height: 20px;
  white-space: nowrap;
  will-change: transform;
  text-shadow:
    0 0 3px var(--ground),
    0 0 3px var(--ground),
    1px 1px 2px var(--ground),
    -1px -1px 2px var(--ground);
}
.clwork-instrument button.topic:hover:not(:disabled) {
  background: var(--tint);
}
.clwork-instrument .topic[aria-pressed="true"] {
  background: var(--tint);
  color: var(--accent);
  text-shadow: none;
}
.clwork-instrument .topic[data-out="true"] {
  visibility: hidden;
}
.clwork-instrument .topic[data-dim="true"] {
  opacity: 0.35;
}
.clwork-instrument .topic:focus-visible {
  outline-offset: -2px;
}
.clwork-instrument .marker {
  flex: none;
  width: 16px;
  height: 16px;
  display: block;
}
.clwork-instrument .run-key {
  flex: none;
  min-width: 20px;
  padding: 0 4px;
  border-radius: 4px;
  color: var(--ground);
  font-weight: 600;
  font-size: var(--small);
  line-height: 16px;
  text-align: center;
}
/* What belongs to another moment than the picture is dimmed and says its step. */
.clwork-instrument .at-step {
  flex: none;
  color: var(--soft);
  font-size: var(--small);
  line-height: var(--line-small);
  font-weight: 400;
}
.clwork-instrument .at-step:empty {
  display: none;
}
.clwork-instrument :is(.cloud-frame, .curve-value > span)[data-elsewhere],
.clwork-instrument
  :is(.clwork-formula, .clwork-verdict, .forces-sheet)[data-elsewhere]
  > :not(.at-step) {
  opacity: 0.5;
}

.clwork-instrument .right {
  display: grid;
  min-width: 0;
  min-height: 0;
}
.clwork-instrument .curves {
  display: contents;
}
.clwork-instrument :is(.clwork-curve, .clwork-plane) {
  display: flex;
  flex-direction: column;
  min-width: 0;
  min-height: 0;
}
.clwork-instrument .curve-line {
  flex: none;
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 8px;
  height: 16px;
  font-size: var(--small);
  line-height: 16px;
  white-space: nowrap;
  overflow: hidden;
}
.clwork-instrument .curve-name {
  font-weight: 600;
  flex: none;
}
.clwork-instrument select.curve-name {
  height: 16px;
  padding: 0;
  border: 0;
  border-radius: 4px;
  background: var(--ground);
  color: var(--ink);
  font-size: var(--small);
  line-height: 16px;
  max-width: calc(100% - 96px);
  flex: 0 1 auto;
  text-overflow: ellipsis;
  cursor: pointer;
}
.clwork-instrument select.curve-name:focus-visible {
  outline-offset: -2px;
}
.clwork-instrument .curve-value {
  font-weight: 600;
  color: var(--accent);
  flex: none;
  display: flex;
  gap: 8px;
}
.clwork-instrument .curve-was {
  color: var(--was);
  flex: none;
}
.clwork-instrument .curve-hint {
  color: var(--soft);
  margin-left: auto;
  flex: none;
} /* where it has no room it goes to a line that is not seen */
.clwork-instrument :is(.curve-box, .plane-box) {
  position: relative;
  flex: 1;
  min-height: 0;
}
.clwork-instrument .curve-box:focus-visible {
  outline-offset: -2px;
  border-radius: 4px;
}
.clwork-instrument :is(.curve-svg, .plane-svg) {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  display: block;
}
.clwork-instrument .curve-svg {
  cursor: ew-resize;
  touch-action: pan-y;
}
.clwork-instrument .rule {
  stroke: var(--rule);
}
.clwork-instrument .axis-line {
  stroke: var(--edge);
}
.clwork-instrument svg text {
  font-size: var(--small);
  fill: var(--soft);
}
.clwork-instrument .level {
  stroke: var(--edge);
  stroke-dasharray: 4 4;
}
.clwork-instrument .band {
  fill: var(--band);
}
.clwork-instrument .level-name {
  paint-order: stroke;
  stroke: var(--ground);
  stroke-width: 3;
}
.clwork-instrument path.line {
  fill: none;
  stroke-width: 2;
  stroke-linejoin: round;
}
.clwork-instrument path.raw {
  fill: none;
  stroke-width: 1;
  opacity: 0.3;
}
.clwork-instrument .was-line {
  fill: none;
  stroke: var(--was);
  stroke-width: 1.5;
  opacity: 0.8;
}
.clwork-instrument .head {
  stroke: var(--ink);
  opacity: 0.45;
}
.clwork-instrument .head-dot {
  stroke: var(--ground);
  stroke-width: 1.5;
}
.clwork-instrument .event rect {
  fill: var(--accent);
}
.clwork-instrument .landmark {
  fill: none;
  stroke: var(--soft);
  stroke-width: 2;
}
.clwork-instrument .landmark-arrow {
  fill: var(--soft);
}
.clwork-instrument .leader {
  stroke: var(--edge);
  opacity: 0.6;
}
.clwork-instrument .landmark-name {
  paint-order: stroke;
  stroke: var(--ground);
  stroke-width: 3;
}
.clwork-instrument .trail-all {
  fill: none;
  stroke-width: 1.5;
  opacity: 0.25;
}
.clwork-instrument .trail {
  fill: none;
  stroke-width: 2.5;
  stroke-linejoin: round;
  stroke-linecap: round;
}
.clwork-instrument .trail-start {
  fill: var(--ground);
  stroke-width: 2;
}
.clwork-instrument .trail-now {
  stroke: var(--ground);
  stroke-width: 2;
}

.clwork-instrument .clwork-transport {
  display: flex;
  align-items: center;
  gap: 8px;
  min-width: 0;
  height: var(--control);
}
.clwork-instrument .key {
  flex: none;
  width: 32px;
  height: var(--control);
  padding: 0;
  line-height: 1;
}
.clwork-instrument .time-box {
  position: relative;
  flex: 1;
  min-width: 48px;
  height: var(--control);
}
.clwork-instrument input[type="range"] {
  -webkit-appearance: none;
  appearance: none;
  background: none;
  padding: 0;
  margin: 0;
  cursor: pointer;
  width: 100%;
}
.clwork-instrument .time {
  position: absolute;
  inset: 0;
  height: 100%;
}
.clwork-instrument input[type="range"]::-webkit-slider-runnable-track {
  height: 4px;
  border-radius: 2px;
  background: linear-gradient(to right, var(--accent) var(--done, 0%), var(--edge) var(--done, 0%));
}
.clwork-instrument input[type="range"]::-moz-range-track {
  height: 4px;
  border-radius: 2px;
  background: var(--edge);
}
.clwork-instrument input[type="range"]::-moz-range-progress {
  height: 4px;
  border-radius: 2px;
  background: var(--accent);
}
.clwork-instrument input[type="range"]::-webkit-slider-thumb {
  -webkit-appearance: none;
  width: 16px;
  height: 16px;
  margin-top: -6px;
  border-radius: 50%;
  background: var(--accent);
  border: 2px solid var(--ground);
  box-shadow: 0 0 0 1px var(--accent);
}
.clwork-instrument input[type="range"]::-moz-range-thumb {
  width: 12px;
  height: 12px;
  border-radius: 50%;
  background: var(--accent);
  border: 2px solid var(--ground);
  box-shadow: 0 0 0 1px var(--accent);
}
.clwork-instrument .time-marks {
  position: absolute;
  left: 8px;
  right: 8px;
  bottom: 4px;
  height: 6px;
  pointer-events: none;
}
.clwork-instrument .time-marks i {
  position: absolute;
  width: 2px;
  margin-left: -1px;
  height: 6px;
  background: var(--accent);
}
.clwork-instrument .told {
  flex: none;
  font-size: var(--small);
  text-align: right;
  white-space: nowrap;
}
.clwork-instrument :is(.live, .clwork-fork) {
  flex: none;
  width: 56px;
  height: var(--control);
  color: var(--soft);
}
.clwork-instrument .live[data-live="true"] {
  background: var(--tint);
  color: var(--accent);
}
.clwork-instrument .live[data-live="false"] {
  border: 2px solid var(--accent);
  color: var(--accent);
}

.clwork-instrument .clwork-reading {
  min-width: 0;
  position: relative;
}
.clwork-instrument .line {
  display: flex;
  gap: 8px;
  height: 20px;
  align-items: center;
  white-space: nowrap;
  overflow: hidden;
}
.clwork-instrument .line-sign {
  display: inline-flex;
  flex: none;
}
.clwork-instrument .line-group {
  flex: none;
  color: var(--soft);
}
.clwork-instrument :is(.line-group, .line-sign):empty {
  display: none;
}
.clwork-instrument .line-text {
  overflow: hidden;
  text-overflow: ellipsis;
}
.clwork-instrument .hint {
  font-weight: 400;
  color: var(--soft);
}

.clwork-instrument .clwork-help {
  position: absolute;
  z-index: 30;
  left: 0;
  top: 0;
  max-width: 320px;
  padding: 8px;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--raised);
  color: var(--ink);
  font-size: var(--small);
  line-height: var(--line-small);
  white-space: pre-line;
}

@container clwork (min-width: 1400px) {
  .clwork-instrument .stage {
    --small: 13px;
    --normal: 15px;
    --large: 20px;
    --line: 24px;
    font-size: 15px;
    line-height: 24px;
  }
}
@media (prefers-reduced-motion: reduce) {
  .clwork-instrument * {
    animation: none !important;
    transition: none !important;
  }
}
@media (forced-colors: active) {
  .clwork-instrument :is(button, select, input, textarea):focus-visible {
    outline-color: CanvasText;
  }
}
`;var render=({model,el})=>mount(el,style_default+panel_default+player_default,new Page(model)),index_default={render};export{index_default as default};
