// Made by js/build.mjs (make bundle); edit js/src/forces instead. sources 86f7783631d3c09e7b055d6775d4adcba1c7808670f8116e248f0bcc226c77f5 body c74310b04781b3a8b075b9b8ee82941a27218c54d59fa3295c85fc41c29b0d01
function view(packed){if(packed instanceof DataView)return packed;let bytes=Uint8Array.from(atob(packed),letter=>letter.charCodeAt(0));return new DataView(bytes.buffer)}function floats32(packed){let data=view(packed);return Float32Array.from({length:data.byteLength/4},(_,i)=>data.getFloat32(4*i,!0))}var PERIODS={lively:250,hidden:1e3,idle:1e3,asleep:5e3},RETRY=2e3,LONGEST_RETRY=3e4,SILENT=4e3,UNANSWERED=5e3,STANDING={silent:"The kernel is busy: the page shows its last reply.",unanswered:"The kernel has not answered for 5 seconds: it runs another cell, and clicks are handled when that ends. If no cell is running, run this cell again.",gone:"The kernel has stopped: the page shows its last reply. Run the cell again."};function withBuffers(value2,buffers){return value2===null||typeof value2!="object"||ArrayBuffer.isView(value2)?value2:Array.isArray(value2)?value2.map(part=>withBuffers(part,buffers)):Number.isInteger(value2.buffer)&&Object.keys(value2).length===1?buffers[value2.buffer]:Object.fromEntries(Object.entries(value2).map(([name,part])=>[name,withBuffers(part,buffers)]))}var Channel=class{constructor(model,hooks){Object.assign(this,{model,hooks,asked:0,answered:0,wait:RETRY,state:"answers",waiting:new Map}),this.page=Math.random().toString(36).slice(2,10).padEnd(4,"0"),this.lastMessage=Date.now(),this.onMessage=(content,buffers)=>this.receive(content,buffers??[]),this.onLive=()=>this.checkState(),this.kernelModel=null,model.widget_manager?.get_model?.(model.get("own_id"))?.then(kernelModel=>{this.closed||(this.kernelModel=kernelModel,kernelModel.on?.("comm_live_update",this.onLive),this.checkState())},()=>{}),this.onShown=()=>document.hidden||this.ask(),model.on("msg:custom",this.onMessage),document.addEventListener("visibilitychange",this.onShown),this.ask()}ask(command=null){clearTimeout(this.timer),this.asked+=1;let message={request:this.asked,page:this.page,known:this.hooks.known()};command&&(message.do=command);let done=command?new Promise(resolve=>this.waiting.set(this.asked,{resolve,name:command.name})):null;return this.sent??=Date.now(),this.gone?this.settle(this.asked,!1):this.model.send(message),this.plan(this.wait),done}command(name,more={}){return this.ask({...more,name})}get gone(){return this.kernelModel?.comm_live===!1}plan(after){clearTimeout(this.timer),this.timer=setTimeout(()=>this.tick(),after)}tick(){this.checkState(),!this.gone&&(this.answered<this.asked&&(this.wait=Math.min(LONGEST_RETRY,2*this.wait)),this.ask())}receive(content,buffers){if(this.closed||!content||typeof content.news!="object")return;let pushed=content.answer===null;if(!pushed&&content.page!==this.page)return;this.lastMessage=Date.now();let news=withBuffers(content.news,buffers);if(this.hooks.take(news),!pushed){this.answered=Math.max(this.answered,content.answer),this.wait=RETRY,content.refused&&this.hooks.refused(content.refused,this.waiting.get(content.answer)?.name??""),this.settle(content.answer,!content.refused),this.sent=this.answered===this.asked?null:Date.now();let pace=this.hooks.lively()?["lively","hidden"]:["idle","asleep"];this.sent||this.plan(PERIODS[pace[Number(document.hidden)]])}this.checkState()}settle(number4,done){this.waiting.get(number4)?.resolve(done),this.waiting.delete(number4)}checkState(){let silent=this.sent&&Date.now()-Math.max(this.lastMessage,this.sent)>SILENT,unanswered=this.sent&&Date.now()-this.sent>UNANSWERED,state="answers";this.gone?state="gone":silent?state="silent":unanswered&&(state="unanswered"),clearTimeout(this.watch),this.sent&&state!=="gone"&&(this.watch=setTimeout(()=>this.checkState(),1e3)),state!==this.state&&(this.state=state,this.hooks.standing?.(state,state==="unanswered"?this.sent:this.lastMessage))}close(){this.closed=!0,clearTimeout(this.timer),clearTimeout(this.watch),this.model.off("msg:custom",this.onMessage),this.kernelModel?.off?.("comm_live_update",this.onLive),document.removeEventListener("visibilitychange",this.onShown)}};var SVG="http://www.w3.org/2000/svg";function dress(made,attributes,children){for(let[name,value2]of Object.entries(attributes))name.startsWith("on")?made.addEventListener(name.slice(2),value2):name==="text"?made.textContent=value2:value2!=null&&value2!==!1&&made.setAttribute(name,value2===!0?"":value2);return made.append(...children),made}var FOCUSED=new Set(["button","canvas","input","select"]),OWN_KEYS={"data-lm-suppress-shortcuts":!0},element=(name,attributes={},...children)=>dress(document.createElement(name),FOCUSED.has(name)?{...OWN_KEYS,...attributes}:attributes,children),drawn=(name,attributes={},...children)=>dress(document.createElementNS(SVG,name),attributes,children);function attribute(node,name,value2){node.getAttribute(name)!==value2&&node.setAttribute(name,value2)}function onResize(node,act){new ResizeObserver(([{contentRect:{width,height}}])=>node.isConnected&&act(Math.round(width),Math.round(height))).observe(node)}function consume(event){event.preventDefault(),event.stopPropagation()}function offer(select,options,chosen=select.value){let key=JSON.stringify(options);select.dataset.options!==key&&(select.replaceChildren(...options.map(([value2,text,disabled])=>element("option",{value:value2,text,disabled}))),select.dataset.options=key),options.some(([value2])=>String(value2)===String(chosen))&&(select.value=String(chosen))}function write(node,text){node.textContent!==text&&(node.textContent=text)}var look_default=`/* Colours, type and what all pages share; their roots have the class clwork-look. */
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
`;var LEAST=120,SHARP=3,DRAWN=["fill","fill-opacity","stroke","stroke-width","stroke-dasharray","stroke-opacity","opacity","font","text-anchor","dominant-baseline","paint-order","display","visibility"],sizeOf=node=>node.getBoundingClientRect(),ground=node=>getComputedStyle(node.closest("[data-theme]")).backgroundColor;function svgOf(figure){let copy3=figure.cloneNode(!0),parts=[copy3,...copy3.querySelectorAll("*")];[figure,...figure.querySelectorAll("*")].forEach((part,k)=>{let style=getComputedStyle(part);for(let name of DRAWN)parts[k].style.setProperty(name,style.getPropertyValue(name))});let{width,height}=sizeOf(figure);for(let[name,value2]of Object.entries({width,height}))copy3.setAttribute(name,value2);return copy3.style.background=ground(figure),new XMLSerializer().serializeToString(copy3)}var addressOf=svg=>`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;async function pngOf(figure){let{width,height}=sizeOf(figure),canvas=element("canvas",{width:SHARP*width,height:SHARP*height}),pen=canvas.getContext("2d");pen.fillStyle=ground(figure),pen.fillRect(0,0,canvas.width,canvas.height);let image=figure.localName==="canvas"?figure:element("img",{src:addressOf(svgOf(figure))});return await image.decode?.(),pen.drawImage(image,0,0,canvas.width,canvas.height),canvas.toDataURL()}function csvOf(table){let textOf=cell=>cell.innerText.trim(),texts=table.texts?.()??Array.from(table.rows,row=>Array.from(row.cells,textOf)),plain=text=>/^[=+@\t\r-]/.test(text)&&Number.isNaN(Number(text))?`'${text}`:text,quoted=text=>/[",\n]/.test(text)?`"${text.replaceAll('"','""')}"`:text,lines=texts.map(row=>row.map(text=>quoted(plain(text))).join(","));return`data:text/csv;charset=utf-8,%EF%BB%BF${encodeURIComponent(`${lines.join(`\r
`)}\r
`)}`}var KINDS={png:pngOf,svg:figure=>addressOf(svgOf(figure)),csv:csvOf},kindsOf={canvas:["png"],svg:["png","svg"],table:["csv"]};function offerSaving(root){let box=element("div",{class:"clwork-save",hidden:!0}),save=async(node,kind)=>element("a",{href:await KINDS[kind](node),download:`clwork.${kind}`}).click(),show=({target})=>{if(box.contains(target))return;let node=target.closest("table, canvas, svg:not([aria-hidden])");if(box.hidden=!node||sizeOf(node).width<LEAST,box.hidden)return;box.replaceChildren(...kindsOf[node.localName].map(kind=>element("button",{type:"button",text:kind.toUpperCase(),"aria-label":`save as ${kind.toUpperCase()}`,onclick:()=>save(node,kind)})));let page=sizeOf(root),visible=sizeOf(node.closest(".scroll")??node);box.style.right=`${page.right-visible.right}px`,box.style.bottom=`${page.bottom-visible.bottom}px`};root.addEventListener("pointerover",show),root.addEventListener("focusin",show),root.addEventListener("pointerleave",()=>{box.hidden=!0}),root.append(box)}var SYSTEM=globalThis.matchMedia?.("(prefers-color-scheme: dark)"),WATCHED=["data-jp-theme-light","data-jp-theme-name","class","data-vscode-theme-kind","theme"],LATER=400;function isDark(colour){let hex2=/^#([0-9a-f]{6})/i.exec(colour)?.[1],parts=hex2?hex2.match(/../g).map(two=>parseInt(two,16)):(colour.match(/[\d.]+/g)??[]).map(Number);return parts.length<3?null:.3*parts[0]+.59*parts[1]+.11*parts[2]<128}function ofVsCode(body){let kind=`${body.className} ${body.dataset.vscodeThemeKind??""}`;return/\bvscode-(high-contrast-light|light)\b/.test(kind)?!1:/\bvscode-(high-contrast|dark)\b/.test(kind)?!0:isDark(getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim())}function ofColab(root){let said2=root.getAttribute("theme")??(globalThis.google?.colab?"light":null);return said2===null?null:said2==="dark"}function said(){let lab2=document.body.dataset.jpThemeLight;return lab2!==void 0?lab2==="false":ofVsCode(document.body)??ofColab(document.documentElement)}function onPage(act){let watch=new MutationObserver(act);for(let part of[document.documentElement,document.body])watch.observe(part,{attributes:!0,attributeFilter:WATCHED});return()=>watch.disconnect()}function followTheme(root,show){let parentTheme=null,last="",timer=0,update=again=>{let dark=said()??parentTheme??!!SYSTEM?.matches,theme=dark?"dark":"light",now=`${theme} ${document.body.dataset.jpThemeName??""}`;now===last&&again!==!0||(last=now,document.documentElement.dataset.clworkTheme=theme,root.dataset.theme=theme,show(dark),clearTimeout(timer),again!==!0&&(timer=setTimeout(()=>update(!0),LATER)))},onMessage=event=>{event.source===window.parent&&typeof event.data?.clworkDark=="boolean"&&(parentTheme=event.data.clworkDark,update())},forget=onPage(update);return SYSTEM?.addEventListener("change",update),window.addEventListener("message",onMessage),window.parent!==window&&window.parent.postMessage("clwork: light or dark?","*"),update(),()=>{clearTimeout(timer),forget(),SYSTEM?.removeEventListener("change",update),window.removeEventListener("message",onMessage)}}function mount(el,css,page){let style=element("style",{text:look_default+css});el.append(style,page.root),offerSaving(page.root);let forget=followTheme(page.root,dark=>page.paint(dark));return page.root.page=page,()=>{forget(),page.close?.(),page.root.remove(),style.remove()}}var AFTER=300,LEAVE=150,GAP=8,count=0,Tooltip=class{constructor(root,name,width){Object.assign(this,{root,width}),this.box=element("div",{class:name,role:"tooltip",id:`clwork-tooltip-${++count}`,hidden:!0}),this.box.addEventListener("pointerenter",()=>clearTimeout(this.timer)),this.box.addEventListener("pointerleave",()=>this.hide()),root.append(this.box),root.addEventListener("keydown",event=>{event.key!=="Escape"||this.box.hidden||(this.hide(),consume(event),event.stopImmediatePropagation())})}on(part,text,side="above"){let later=(after,act)=>{clearTimeout(this.timer),this.timer=setTimeout(act,after)},show=()=>part.isConnected&&this.show(part,text(),side);part.addEventListener("pointerenter",event=>event.pointerType!=="touch"&&later(AFTER,show)),part.addEventListener("pointerleave",()=>later(LEAVE,()=>this.hide())),part.addEventListener("focusin",event=>event.target.matches(":focus-visible")&&later(0,show));for(let kind of["focusout","pointerdown"])part.addEventListener(kind,()=>this.hide())}show(part,text,side){if(!text)return this.hide();let{box,root}=this;write(box,text),box.hidden=!1;let[around,at]=[root.getBoundingClientRect(),part.getBoundingClientRect()];box.style.maxWidth=`${Math.min(this.width,around.width-2*GAP)}px`;let{width,height}=box.getBoundingClientRect(),above=at.top-around.top-height-GAP,below=at.bottom-around.top+GAP,x=at.left-around.left,y=below;above>=0&&(side==="above"||side==="below"&&below+height>=around.height)&&(y=above);let left=Math.max(GAP,Math.min(x,around.width-width-GAP));box.style.transform=`translate(${Math.round(left)}px,${Math.round(y)}px)`,this.part?.removeAttribute("aria-describedby"),this.part=part.matches("input,button,select")?part:part.querySelector("input,button,select")??part,this.part.setAttribute("aria-describedby",box.id)}hide(){clearTimeout(this.timer),this.box.hidden=!0}};var MATH="http://www.w3.org/1998/Math/MathML",KEPT=new Set(["data-field","display","mathvariant","stretchy","form","fence","separator","lspace","rspace","accent","movablelimits","largeop","minsize","maxsize","width","height","columnalign","rowspacing","columnspacing","displaystyle","scriptlevel","linethickness"]);function copy(node){if(node.nodeType===Node.TEXT_NODE)return document.createTextNode(node.data);if(node.nodeType!==Node.ELEMENT_NODE||node.namespaceURI!==MATH||node.localName==="annotation-xml")return null;let made=document.createElementNS(MATH,node.localName);for(let{name,value:value2}of node.attributes)KEPT.has(name)&&made.setAttribute(name,value2);for(let child of node.childNodes){let part=copy(child);part&&made.append(part)}return made}function math(text){if(!text)return null;let root=new DOMParser().parseFromString(text,"application/xml").documentElement;return root.namespaceURI===MATH&&root.localName==="math"?copy(root):null}var[LOW,SMALL]=[15,12],Formula=class{constructor(){this.main=element("div",{class:"formula-main"}),this.more=element("div",{class:"formula-more"}),this.root=element("div",{class:"formula",role:"group","aria-label":"The formula with this sentence's numbers",tabindex:"0"},this.main,this.more),onResize(this.root,()=>this.root.clientWidth!==this.wide&&this.fit())}show(lines){let nodes=lines.map(line=>element("div",{class:"formula-line"},math(line)??"")),main=nodes.length>2?2:1;this.main.replaceChildren(...nodes.slice(0,main)),this.more.replaceChildren(...nodes.slice(main)),this.fit()}fit(){let{root}=this,wide=root.clientWidth;if(!wide)return;wide!==this.wide&&(this.tall=!1),this.wide=wide;let large=parseFloat(getComputedStyle(root).getPropertyValue("--large"))||18;this.tall||(this.tall=!this.fits(!1,large,LOW)),this.tall&&this.fits(!0,large,SMALL)}fits(tall,large,least){let{root}=this;root.dataset.tall=tall;for(let size=large;size>=least;size-=.5)if(root.style.fontSize=`${size}px`,root.scrollWidth<=root.clientWidth+1&&root.scrollHeight<=root.clientHeight+1)return!0;return!1}};function ascending(a,b){return a==null||b==null?NaN:a<b?-1:a>b?1:a>=b?0:NaN}function descending(a,b){return a==null||b==null?NaN:b<a?-1:b>a?1:b>=a?0:NaN}function bisector(f){let compare1,compare2,delta;f.length!==2?(compare1=ascending,compare2=(d,x)=>ascending(f(d),x),delta=(d,x)=>f(d)-x):(compare1=f===ascending||f===descending?f:zero,compare2=f,delta=f);function left(a,x,lo=0,hi=a.length){if(lo<hi){if(compare1(x,x)!==0)return hi;do{let mid=lo+hi>>>1;compare2(a[mid],x)<0?lo=mid+1:hi=mid}while(lo<hi)}return lo}function right(a,x,lo=0,hi=a.length){if(lo<hi){if(compare1(x,x)!==0)return hi;do{let mid=lo+hi>>>1;compare2(a[mid],x)<=0?lo=mid+1:hi=mid}while(lo<hi)}return lo}function center(a,x,lo=0,hi=a.length){let i=left(a,x,lo,hi-1);return i>lo&&delta(a[i-1],x)>-delta(a[i],x)?i-1:i}return{left,center,right}}function zero(){return 0}function number(x){return x===null?NaN:+x}var ascendingBisect=bisector(ascending),bisectRight=ascendingBisect.right,bisectLeft=ascendingBisect.left,bisectCenter=bisector(number).center;var blur2=Blur2(blurf),blurImage=Blur2(blurfImage);function Blur2(blur){return function(data,rx,ry=rx){if(!((rx=+rx)>=0))throw new RangeError("invalid rx");if(!((ry=+ry)>=0))throw new RangeError("invalid ry");let{data:values,width,height}=data;if(!((width=Math.floor(width))>=0))throw new RangeError("invalid width");if(!((height=Math.floor(height!==void 0?height:values.length/width))>=0))throw new RangeError("invalid height");if(!width||!height||!rx&&!ry)return data;let blurx=rx&&blur(rx),blury=ry&&blur(ry),temp=values.slice();return blurx&&blury?(blurh(blurx,temp,values,width,height),blurh(blurx,values,temp,width,height),blurh(blurx,temp,values,width,height),blurv(blury,values,temp,width,height),blurv(blury,temp,values,width,height),blurv(blury,values,temp,width,height)):blurx?(blurh(blurx,values,temp,width,height),blurh(blurx,temp,values,width,height),blurh(blurx,values,temp,width,height)):blury&&(blurv(blury,values,temp,width,height),blurv(blury,temp,values,width,height),blurv(blury,values,temp,width,height)),data}}function blurh(blur,T,S,w,h){for(let y=0,n=w*h;y<n;)blur(T,S,y,y+=w,1)}function blurv(blur,T,S,w,h){for(let x=0,n=w*h;x<w;++x)blur(T,S,x,x+n,w)}function blurfImage(radius){let blur=blurf(radius);return(T,S,start,stop,step)=>{start<<=2,stop<<=2,step<<=2,blur(T,S,start+0,stop+0,step),blur(T,S,start+1,stop+1,step),blur(T,S,start+2,stop+2,step),blur(T,S,start+3,stop+3,step)}}function blurf(radius){let radius0=Math.floor(radius);if(radius0===radius)return bluri(radius);let t=radius-radius0,w=2*radius+1;return(T,S,start,stop,step)=>{if(!((stop-=step)>=start))return;let sum=radius0*S[start],s0=step*radius0,s1=s0+step;for(let i=start,j=start+s0;i<j;i+=step)sum+=S[Math.min(stop,i)];for(let i=start,j=stop;i<=j;i+=step)sum+=S[Math.min(stop,i+s0)],T[i]=(sum+t*(S[Math.max(start,i-s1)]+S[Math.min(stop,i+s1)]))/w,sum-=S[Math.max(start,i-s0)]}}function bluri(radius){let w=2*radius+1;return(T,S,start,stop,step)=>{if(!((stop-=step)>=start))return;let sum=radius*S[start],s=step*radius;for(let i=start,j=start+s;i<j;i+=step)sum+=S[Math.min(stop,i)];for(let i=start,j=stop;i<=j;i+=step)sum+=S[Math.min(stop,i+s)],T[i]=sum/w,sum-=S[Math.max(start,i-s)]}}function extent(values,valueof){let min,max;if(valueof===void 0)for(let value2 of values)value2!=null&&(min===void 0?value2>=value2&&(min=max=value2):(min>value2&&(min=value2),max<value2&&(max=value2)));else{let index=-1;for(let value2 of values)(value2=valueof(value2,++index,values))!=null&&(min===void 0?value2>=value2&&(min=max=value2):(min>value2&&(min=value2),max<value2&&(max=value2)))}return[min,max]}var array=Array.prototype,slice=array.slice;var e10=Math.sqrt(50),e5=Math.sqrt(10),e2=Math.sqrt(2);function tickSpec(start,stop,count3){let step=(stop-start)/Math.max(0,count3),power=Math.floor(Math.log10(step)),error=step/Math.pow(10,power),factor=error>=e10?10:error>=e5?5:error>=e2?2:1,i1,i2,inc;return power<0?(inc=Math.pow(10,-power)/factor,i1=Math.round(start*inc),i2=Math.round(stop*inc),i1/inc<start&&++i1,i2/inc>stop&&--i2,inc=-inc):(inc=Math.pow(10,power)*factor,i1=Math.round(start/inc),i2=Math.round(stop/inc),i1*inc<start&&++i1,i2*inc>stop&&--i2),i2<i1&&.5<=count3&&count3<2?tickSpec(start,stop,count3*2):[i1,i2,inc]}function ticks(start,stop,count3){if(stop=+stop,start=+start,count3=+count3,!(count3>0))return[];if(start===stop)return[start];let reverse=stop<start,[i1,i2,inc]=reverse?tickSpec(stop,start,count3):tickSpec(start,stop,count3);if(!(i2>=i1))return[];let n=i2-i1+1,ticks2=new Array(n);if(reverse)if(inc<0)for(let i=0;i<n;++i)ticks2[i]=(i2-i)/-inc;else for(let i=0;i<n;++i)ticks2[i]=(i2-i)*inc;else if(inc<0)for(let i=0;i<n;++i)ticks2[i]=(i1+i)/-inc;else for(let i=0;i<n;++i)ticks2[i]=(i1+i)*inc;return ticks2}function tickIncrement(start,stop,count3){return stop=+stop,start=+start,count3=+count3,tickSpec(start,stop,count3)[2]}function tickStep(start,stop,count3){stop=+stop,start=+start,count3=+count3;let reverse=stop<start,inc=reverse?tickIncrement(stop,start,count3):tickIncrement(start,stop,count3);return(reverse?-1:1)*(inc<0?1/-inc:inc)}var shuffle=shuffler(Math.random);function shuffler(random){return function(array2,i0=0,i1=array2.length){let m=i1-(i0=+i0);for(;m;){let i=random()*m--|0,t=array2[m+i0];array2[m+i0]=array2[i+i0],array2[i+i0]=t}return array2}}function formatDecimal_default(x){return Math.abs(x=Math.round(x))>=1e21?x.toLocaleString("en").replace(/,/g,""):x.toString(10)}function formatDecimalParts(x,p){if((i=(x=p?x.toExponential(p-1):x.toExponential()).indexOf("e"))<0)return null;var i,coefficient=x.slice(0,i);return[coefficient.length>1?coefficient[0]+coefficient.slice(2):coefficient,+x.slice(i+1)]}function exponent_default(x){return x=formatDecimalParts(Math.abs(x)),x?x[1]:NaN}function formatGroup_default(grouping,thousands){return function(value2,width){for(var i=value2.length,t=[],j=0,g=grouping[0],length=0;i>0&&g>0&&(length+g+1>width&&(g=Math.max(1,width-length)),t.push(value2.substring(i-=g,i+g)),!((length+=g+1)>width));)g=grouping[j=(j+1)%grouping.length];return t.reverse().join(thousands)}}function formatNumerals_default(numerals){return function(value2){return value2.replace(/[0-9]/g,function(i){return numerals[+i]})}}var re=/^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(\.\d+)?(~)?([a-z%])?$/i;function formatSpecifier(specifier){if(!(match=re.exec(specifier)))throw new Error("invalid format: "+specifier);var match;return new FormatSpecifier({fill:match[1],align:match[2],sign:match[3],symbol:match[4],zero:match[5],width:match[6],comma:match[7],precision:match[8]&&match[8].slice(1),trim:match[9],type:match[10]})}formatSpecifier.prototype=FormatSpecifier.prototype;function FormatSpecifier(specifier){this.fill=specifier.fill===void 0?" ":specifier.fill+"",this.align=specifier.align===void 0?">":specifier.align+"",this.sign=specifier.sign===void 0?"-":specifier.sign+"",this.symbol=specifier.symbol===void 0?"":specifier.symbol+"",this.zero=!!specifier.zero,this.width=specifier.width===void 0?void 0:+specifier.width,this.comma=!!specifier.comma,this.precision=specifier.precision===void 0?void 0:+specifier.precision,this.trim=!!specifier.trim,this.type=specifier.type===void 0?"":specifier.type+""}FormatSpecifier.prototype.toString=function(){return this.fill+this.align+this.sign+this.symbol+(this.zero?"0":"")+(this.width===void 0?"":Math.max(1,this.width|0))+(this.comma?",":"")+(this.precision===void 0?"":"."+Math.max(0,this.precision|0))+(this.trim?"~":"")+this.type};function formatTrim_default(s){out:for(var n=s.length,i=1,i0=-1,i1;i<n;++i)switch(s[i]){case".":i0=i1=i;break;case"0":i0===0&&(i0=i),i1=i;break;default:if(!+s[i])break out;i0>0&&(i0=0);break}return i0>0?s.slice(0,i0)+s.slice(i1+1):s}var prefixExponent;function formatPrefixAuto_default(x,p){var d=formatDecimalParts(x,p);if(!d)return x+"";var coefficient=d[0],exponent=d[1],i=exponent-(prefixExponent=Math.max(-8,Math.min(8,Math.floor(exponent/3)))*3)+1,n=coefficient.length;return i===n?coefficient:i>n?coefficient+new Array(i-n+1).join("0"):i>0?coefficient.slice(0,i)+"."+coefficient.slice(i):"0."+new Array(1-i).join("0")+formatDecimalParts(x,Math.max(0,p+i-1))[0]}function formatRounded_default(x,p){var d=formatDecimalParts(x,p);if(!d)return x+"";var coefficient=d[0],exponent=d[1];return exponent<0?"0."+new Array(-exponent).join("0")+coefficient:coefficient.length>exponent+1?coefficient.slice(0,exponent+1)+"."+coefficient.slice(exponent+1):coefficient+new Array(exponent-coefficient.length+2).join("0")}var formatTypes_default={"%":(x,p)=>(x*100).toFixed(p),b:x=>Math.round(x).toString(2),c:x=>x+"",d:formatDecimal_default,e:(x,p)=>x.toExponential(p),f:(x,p)=>x.toFixed(p),g:(x,p)=>x.toPrecision(p),o:x=>Math.round(x).toString(8),p:(x,p)=>formatRounded_default(x*100,p),r:formatRounded_default,s:formatPrefixAuto_default,X:x=>Math.round(x).toString(16).toUpperCase(),x:x=>Math.round(x).toString(16)};function identity_default(x){return x}var map=Array.prototype.map,prefixes=["y","z","a","f","p","n","µ","m","","k","M","G","T","P","E","Z","Y"];function locale_default(locale2){var group=locale2.grouping===void 0||locale2.thousands===void 0?identity_default:formatGroup_default(map.call(locale2.grouping,Number),locale2.thousands+""),currencyPrefix=locale2.currency===void 0?"":locale2.currency[0]+"",currencySuffix=locale2.currency===void 0?"":locale2.currency[1]+"",decimal=locale2.decimal===void 0?".":locale2.decimal+"",numerals=locale2.numerals===void 0?identity_default:formatNumerals_default(map.call(locale2.numerals,String)),percent=locale2.percent===void 0?"%":locale2.percent+"",minus=locale2.minus===void 0?"−":locale2.minus+"",nan=locale2.nan===void 0?"NaN":locale2.nan+"";function newFormat(specifier){specifier=formatSpecifier(specifier);var fill=specifier.fill,align=specifier.align,sign=specifier.sign,symbol=specifier.symbol,zero3=specifier.zero,width=specifier.width,comma=specifier.comma,precision=specifier.precision,trim=specifier.trim,type=specifier.type;type==="n"?(comma=!0,type="g"):formatTypes_default[type]||(precision===void 0&&(precision=12),trim=!0,type="g"),(zero3||fill==="0"&&align==="=")&&(zero3=!0,fill="0",align="=");var prefix=symbol==="$"?currencyPrefix:symbol==="#"&&/[boxX]/.test(type)?"0"+type.toLowerCase():"",suffix=symbol==="$"?currencySuffix:/[%p]/.test(type)?percent:"",formatType=formatTypes_default[type],maybeSuffix=/[defgprs%]/.test(type);precision=precision===void 0?6:/[gprs]/.test(type)?Math.max(1,Math.min(21,precision)):Math.max(0,Math.min(20,precision));function format2(value2){var valuePrefix=prefix,valueSuffix=suffix,i,n,c;if(type==="c")valueSuffix=formatType(value2)+valueSuffix,value2="";else{value2=+value2;var valueNegative=value2<0||1/value2<0;if(value2=isNaN(value2)?nan:formatType(Math.abs(value2),precision),trim&&(value2=formatTrim_default(value2)),valueNegative&&+value2==0&&sign!=="+"&&(valueNegative=!1),valuePrefix=(valueNegative?sign==="("?sign:minus:sign==="-"||sign==="("?"":sign)+valuePrefix,valueSuffix=(type==="s"?prefixes[8+prefixExponent/3]:"")+valueSuffix+(valueNegative&&sign==="("?")":""),maybeSuffix){for(i=-1,n=value2.length;++i<n;)if(c=value2.charCodeAt(i),48>c||c>57){valueSuffix=(c===46?decimal+value2.slice(i+1):value2.slice(i))+valueSuffix,value2=value2.slice(0,i);break}}}comma&&!zero3&&(value2=group(value2,1/0));var length=valuePrefix.length+value2.length+valueSuffix.length,padding=length<width?new Array(width-length+1).join(fill):"";switch(comma&&zero3&&(value2=group(padding+value2,padding.length?width-valueSuffix.length:1/0),padding=""),align){case"<":value2=valuePrefix+value2+valueSuffix+padding;break;case"=":value2=valuePrefix+padding+value2+valueSuffix;break;case"^":value2=padding.slice(0,length=padding.length>>1)+valuePrefix+value2+valueSuffix+padding.slice(length);break;default:value2=padding+valuePrefix+value2+valueSuffix;break}return numerals(value2)}return format2.toString=function(){return specifier+""},format2}function formatPrefix2(specifier,value2){var f=newFormat((specifier=formatSpecifier(specifier),specifier.type="f",specifier)),e=Math.max(-8,Math.min(8,Math.floor(exponent_default(value2)/3)))*3,k=Math.pow(10,-e),prefix=prefixes[8+e/3];return function(value3){return f(k*value3)+prefix}}return{format:newFormat,formatPrefix:formatPrefix2}}var locale,format,formatPrefix;defaultLocale({thousands:",",grouping:[3],currency:["$",""]});function defaultLocale(definition){return locale=locale_default(definition),format=locale.format,formatPrefix=locale.formatPrefix,locale}function precisionFixed_default(step){return Math.max(0,-exponent_default(Math.abs(step)))}function precisionPrefix_default(step,value2){return Math.max(0,Math.max(-8,Math.min(8,Math.floor(exponent_default(value2)/3)))*3-exponent_default(Math.abs(step)))}function precisionRound_default(step,max){return step=Math.abs(step),max=Math.abs(max)-step,Math.max(0,exponent_default(max)-exponent_default(step))+1}function initRange(domain,range){switch(arguments.length){case 0:break;case 1:this.range(domain);break;default:this.range(range).domain(domain);break}return this}function define(constructor,factory,prototype){constructor.prototype=factory.prototype=prototype,prototype.constructor=constructor}function extend(parent,definition){var prototype=Object.create(parent.prototype);for(var key in definition)prototype[key]=definition[key];return prototype}function Color(){}var darker=.7,brighter=1/darker,reI="\\s*([+-]?\\d+)\\s*",reN="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",reP="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*",reHex=/^#([0-9a-f]{3,8})$/,reRgbInteger=new RegExp(`^rgb\\(${reI},${reI},${reI}\\)$`),reRgbPercent=new RegExp(`^rgb\\(${reP},${reP},${reP}\\)$`),reRgbaInteger=new RegExp(`^rgba\\(${reI},${reI},${reI},${reN}\\)$`),reRgbaPercent=new RegExp(`^rgba\\(${reP},${reP},${reP},${reN}\\)$`),reHslPercent=new RegExp(`^hsl\\(${reN},${reP},${reP}\\)$`),reHslaPercent=new RegExp(`^hsla\\(${reN},${reP},${reP},${reN}\\)$`),named={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074};define(Color,color,{copy(channels){return Object.assign(new this.constructor,this,channels)},displayable(){return this.rgb().displayable()},hex:color_formatHex,formatHex:color_formatHex,formatHex8:color_formatHex8,formatHsl:color_formatHsl,formatRgb:color_formatRgb,toString:color_formatRgb});function color_formatHex(){return this.rgb().formatHex()}function color_formatHex8(){return this.rgb().formatHex8()}function color_formatHsl(){return hslConvert(this).formatHsl()}function color_formatRgb(){return this.rgb().formatRgb()}function color(format2){var m,l;return format2=(format2+"").trim().toLowerCase(),(m=reHex.exec(format2))?(l=m[1].length,m=parseInt(m[1],16),l===6?rgbn(m):l===3?new Rgb(m>>8&15|m>>4&240,m>>4&15|m&240,(m&15)<<4|m&15,1):l===8?rgba(m>>24&255,m>>16&255,m>>8&255,(m&255)/255):l===4?rgba(m>>12&15|m>>8&240,m>>8&15|m>>4&240,m>>4&15|m&240,((m&15)<<4|m&15)/255):null):(m=reRgbInteger.exec(format2))?new Rgb(m[1],m[2],m[3],1):(m=reRgbPercent.exec(format2))?new Rgb(m[1]*255/100,m[2]*255/100,m[3]*255/100,1):(m=reRgbaInteger.exec(format2))?rgba(m[1],m[2],m[3],m[4]):(m=reRgbaPercent.exec(format2))?rgba(m[1]*255/100,m[2]*255/100,m[3]*255/100,m[4]):(m=reHslPercent.exec(format2))?hsla(m[1],m[2]/100,m[3]/100,1):(m=reHslaPercent.exec(format2))?hsla(m[1],m[2]/100,m[3]/100,m[4]):named.hasOwnProperty(format2)?rgbn(named[format2]):format2==="transparent"?new Rgb(NaN,NaN,NaN,0):null}function rgbn(n){return new Rgb(n>>16&255,n>>8&255,n&255,1)}function rgba(r,g,b,a){return a<=0&&(r=g=b=NaN),new Rgb(r,g,b,a)}function rgbConvert(o){return o instanceof Color||(o=color(o)),o?(o=o.rgb(),new Rgb(o.r,o.g,o.b,o.opacity)):new Rgb}function rgb(r,g,b,opacity){return arguments.length===1?rgbConvert(r):new Rgb(r,g,b,opacity??1)}function Rgb(r,g,b,opacity){this.r=+r,this.g=+g,this.b=+b,this.opacity=+opacity}define(Rgb,rgb,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Rgb(this.r*k,this.g*k,this.b*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Rgb(this.r*k,this.g*k,this.b*k,this.opacity)},rgb(){return this},clamp(){return new Rgb(clampi(this.r),clampi(this.g),clampi(this.b),clampa(this.opacity))},displayable(){return-.5<=this.r&&this.r<255.5&&-.5<=this.g&&this.g<255.5&&-.5<=this.b&&this.b<255.5&&0<=this.opacity&&this.opacity<=1},hex:rgb_formatHex,formatHex:rgb_formatHex,formatHex8:rgb_formatHex8,formatRgb:rgb_formatRgb,toString:rgb_formatRgb}));function rgb_formatHex(){return`#${hex(this.r)}${hex(this.g)}${hex(this.b)}`}function rgb_formatHex8(){return`#${hex(this.r)}${hex(this.g)}${hex(this.b)}${hex((isNaN(this.opacity)?1:this.opacity)*255)}`}function rgb_formatRgb(){let a=clampa(this.opacity);return`${a===1?"rgb(":"rgba("}${clampi(this.r)}, ${clampi(this.g)}, ${clampi(this.b)}${a===1?")":`, ${a})`}`}function clampa(opacity){return isNaN(opacity)?1:Math.max(0,Math.min(1,opacity))}function clampi(value2){return Math.max(0,Math.min(255,Math.round(value2)||0))}function hex(value2){return value2=clampi(value2),(value2<16?"0":"")+value2.toString(16)}function hsla(h,s,l,a){return a<=0?h=s=l=NaN:l<=0||l>=1?h=s=NaN:s<=0&&(h=NaN),new Hsl(h,s,l,a)}function hslConvert(o){if(o instanceof Hsl)return new Hsl(o.h,o.s,o.l,o.opacity);if(o instanceof Color||(o=color(o)),!o)return new Hsl;if(o instanceof Hsl)return o;o=o.rgb();var r=o.r/255,g=o.g/255,b=o.b/255,min=Math.min(r,g,b),max=Math.max(r,g,b),h=NaN,s=max-min,l=(max+min)/2;return s?(r===max?h=(g-b)/s+(g<b)*6:g===max?h=(b-r)/s+2:h=(r-g)/s+4,s/=l<.5?max+min:2-max-min,h*=60):s=l>0&&l<1?0:h,new Hsl(h,s,l,o.opacity)}function hsl(h,s,l,opacity){return arguments.length===1?hslConvert(h):new Hsl(h,s,l,opacity??1)}function Hsl(h,s,l,opacity){this.h=+h,this.s=+s,this.l=+l,this.opacity=+opacity}define(Hsl,hsl,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Hsl(this.h,this.s,this.l*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Hsl(this.h,this.s,this.l*k,this.opacity)},rgb(){var h=this.h%360+(this.h<0)*360,s=isNaN(h)||isNaN(this.s)?0:this.s,l=this.l,m2=l+(l<.5?l:1-l)*s,m1=2*l-m2;return new Rgb(hsl2rgb(h>=240?h-240:h+120,m1,m2),hsl2rgb(h,m1,m2),hsl2rgb(h<120?h+240:h-120,m1,m2),this.opacity)},clamp(){return new Hsl(clamph(this.h),clampt(this.s),clampt(this.l),clampa(this.opacity))},displayable(){return(0<=this.s&&this.s<=1||isNaN(this.s))&&0<=this.l&&this.l<=1&&0<=this.opacity&&this.opacity<=1},formatHsl(){let a=clampa(this.opacity);return`${a===1?"hsl(":"hsla("}${clamph(this.h)}, ${clampt(this.s)*100}%, ${clampt(this.l)*100}%${a===1?")":`, ${a})`}`}}));function clamph(value2){return value2=(value2||0)%360,value2<0?value2+360:value2}function clampt(value2){return Math.max(0,Math.min(1,value2||0))}function hsl2rgb(h,m1,m2){return(h<60?m1+(m2-m1)*h/60:h<180?m2:h<240?m1+(m2-m1)*(240-h)/60:m1)*255}var radians=Math.PI/180,degrees=180/Math.PI,K=18,Xn=.96422,Yn=1,Zn=.82521,t0=4/29,t1=6/29,t2=3*t1*t1,t3=t1*t1*t1;function labConvert(o){if(o instanceof Lab)return new Lab(o.l,o.a,o.b,o.opacity);if(o instanceof Hcl)return hcl2lab(o);o instanceof Rgb||(o=rgbConvert(o));var r=rgb2lrgb(o.r),g=rgb2lrgb(o.g),b=rgb2lrgb(o.b),y=xyz2lab((.2225045*r+.7168786*g+.0606169*b)/Yn),x,z;return r===g&&g===b?x=z=y:(x=xyz2lab((.4360747*r+.3850649*g+.1430804*b)/Xn),z=xyz2lab((.0139322*r+.0971045*g+.7141733*b)/Zn)),new Lab(116*y-16,500*(x-y),200*(y-z),o.opacity)}function lab(l,a,b,opacity){return arguments.length===1?labConvert(l):new Lab(l,a,b,opacity??1)}function Lab(l,a,b,opacity){this.l=+l,this.a=+a,this.b=+b,this.opacity=+opacity}define(Lab,lab,extend(Color,{brighter(k){return new Lab(this.l+K*(k??1),this.a,this.b,this.opacity)},darker(k){return new Lab(this.l-K*(k??1),this.a,this.b,this.opacity)},rgb(){var y=(this.l+16)/116,x=isNaN(this.a)?y:y+this.a/500,z=isNaN(this.b)?y:y-this.b/200;return x=Xn*lab2xyz(x),y=Yn*lab2xyz(y),z=Zn*lab2xyz(z),new Rgb(lrgb2rgb(3.1338561*x-1.6168667*y-.4906146*z),lrgb2rgb(-.9787684*x+1.9161415*y+.033454*z),lrgb2rgb(.0719453*x-.2289914*y+1.4052427*z),this.opacity)}}));function xyz2lab(t){return t>t3?Math.pow(t,1/3):t/t2+t0}function lab2xyz(t){return t>t1?t*t*t:t2*(t-t0)}function lrgb2rgb(x){return 255*(x<=.0031308?12.92*x:1.055*Math.pow(x,1/2.4)-.055)}function rgb2lrgb(x){return(x/=255)<=.04045?x/12.92:Math.pow((x+.055)/1.055,2.4)}function hclConvert(o){if(o instanceof Hcl)return new Hcl(o.h,o.c,o.l,o.opacity);if(o instanceof Lab||(o=labConvert(o)),o.a===0&&o.b===0)return new Hcl(NaN,0<o.l&&o.l<100?0:NaN,o.l,o.opacity);var h=Math.atan2(o.b,o.a)*degrees;return new Hcl(h<0?h+360:h,Math.sqrt(o.a*o.a+o.b*o.b),o.l,o.opacity)}function hcl(h,c,l,opacity){return arguments.length===1?hclConvert(h):new Hcl(h,c,l,opacity??1)}function Hcl(h,c,l,opacity){this.h=+h,this.c=+c,this.l=+l,this.opacity=+opacity}function hcl2lab(o){if(isNaN(o.h))return new Lab(o.l,0,0,o.opacity);var h=o.h*radians;return new Lab(o.l,Math.cos(h)*o.c,Math.sin(h)*o.c,o.opacity)}define(Hcl,hcl,extend(Color,{brighter(k){return new Hcl(this.h,this.c,this.l+K*(k??1),this.opacity)},darker(k){return new Hcl(this.h,this.c,this.l-K*(k??1),this.opacity)},rgb(){return hcl2lab(this).rgb()}}));var A=-.14861,B=1.78277,C=-.29227,D=-.90649,E=1.97294,ED=E*D,EB=E*B,BC_DA=B*C-D*A;function cubehelixConvert(o){if(o instanceof Cubehelix)return new Cubehelix(o.h,o.s,o.l,o.opacity);o instanceof Rgb||(o=rgbConvert(o));var r=o.r/255,g=o.g/255,b=o.b/255,l=(BC_DA*b+ED*r-EB*g)/(BC_DA+ED-EB),bl=b-l,k=(E*(g-l)-C*bl)/D,s=Math.sqrt(k*k+bl*bl)/(E*l*(1-l)),h=s?Math.atan2(k,bl)*degrees-120:NaN;return new Cubehelix(h<0?h+360:h,s,l,o.opacity)}function cubehelix(h,s,l,opacity){return arguments.length===1?cubehelixConvert(h):new Cubehelix(h,s,l,opacity??1)}function Cubehelix(h,s,l,opacity){this.h=+h,this.s=+s,this.l=+l,this.opacity=+opacity}define(Cubehelix,cubehelix,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Cubehelix(this.h,this.s,this.l*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Cubehelix(this.h,this.s,this.l*k,this.opacity)},rgb(){var h=isNaN(this.h)?0:(this.h+120)*radians,l=+this.l,a=isNaN(this.s)?0:this.s*l*(1-l),cosh2=Math.cos(h),sinh2=Math.sin(h);return new Rgb(255*(l+a*(A*cosh2+B*sinh2)),255*(l+a*(C*cosh2+D*sinh2)),255*(l+a*(E*cosh2)),this.opacity)}}));function basis(t12,v0,v1,v2,v3){var t22=t12*t12,t32=t22*t12;return((1-3*t12+3*t22-t32)*v0+(4-6*t22+3*t32)*v1+(1+3*t12+3*t22-3*t32)*v2+t32*v3)/6}function basis$1(values){var n=values.length-1;return function(t){var i=t<=0?t=0:t>=1?(t=1,n-1):Math.floor(t*n),v1=values[i],v2=values[i+1],v0=i>0?values[i-1]:2*v1-v2,v3=i<n-1?values[i+2]:2*v2-v1;return basis((t-i/n)*n,v0,v1,v2,v3)}}function basisClosed(values){var n=values.length;return function(t){var i=Math.floor(((t%=1)<0?++t:t)*n),v0=values[(i+n-1)%n],v1=values[i%n],v2=values[(i+1)%n],v3=values[(i+2)%n];return basis((t-i/n)*n,v0,v1,v2,v3)}}var constant=x=>()=>x;function linear(a,d){return function(t){return a+t*d}}function exponential(a,b,y){return a=Math.pow(a,y),b=Math.pow(b,y)-a,y=1/y,function(t){return Math.pow(a+t*b,y)}}function hue$1(a,b){var d=b-a;return d?linear(a,d>180||d<-180?d-360*Math.round(d/360):d):constant(isNaN(a)?b:a)}function gamma(y){return(y=+y)==1?nogamma:function(a,b){return b-a?exponential(a,b,y):constant(isNaN(a)?b:a)}}function nogamma(a,b){var d=b-a;return d?linear(a,d):constant(isNaN(a)?b:a)}var rgb2=(function rgbGamma(y){var color2=gamma(y);function rgb3(start,end){var r=color2((start=rgb(start)).r,(end=rgb(end)).r),g=color2(start.g,end.g),b=color2(start.b,end.b),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.r=r(t),start.g=g(t),start.b=b(t),start.opacity=opacity(t),start+""}}return rgb3.gamma=rgbGamma,rgb3})(1);function rgbSpline(spline){return function(colors){var n=colors.length,r=new Array(n),g=new Array(n),b=new Array(n),i,color2;for(i=0;i<n;++i)color2=rgb(colors[i]),r[i]=color2.r||0,g[i]=color2.g||0,b[i]=color2.b||0;return r=spline(r),g=spline(g),b=spline(b),color2.opacity=1,function(t){return color2.r=r(t),color2.g=g(t),color2.b=b(t),color2+""}}}var rgbBasis=rgbSpline(basis$1),rgbBasisClosed=rgbSpline(basisClosed);function numberArray(a,b){b||(b=[]);var n=a?Math.min(b.length,a.length):0,c=b.slice(),i;return function(t){for(i=0;i<n;++i)c[i]=a[i]*(1-t)+b[i]*t;return c}}function isNumberArray(x){return ArrayBuffer.isView(x)&&!(x instanceof DataView)}function genericArray(a,b){var nb=b?b.length:0,na=a?Math.min(nb,a.length):0,x=new Array(na),c=new Array(nb),i;for(i=0;i<na;++i)x[i]=value(a[i],b[i]);for(;i<nb;++i)c[i]=b[i];return function(t){for(i=0;i<na;++i)c[i]=x[i](t);return c}}function date(a,b){var d=new Date;return a=+a,b=+b,function(t){return d.setTime(a*(1-t)+b*t),d}}function number2(a,b){return a=+a,b=+b,function(t){return a*(1-t)+b*t}}function object(a,b){var i={},c={},k;(a===null||typeof a!="object")&&(a={}),(b===null||typeof b!="object")&&(b={});for(k in b)k in a?i[k]=value(a[k],b[k]):c[k]=b[k];return function(t){for(k in i)c[k]=i[k](t);return c}}var reA=/[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g,reB=new RegExp(reA.source,"g");function zero2(b){return function(){return b}}function one(b){return function(t){return b(t)+""}}function string(a,b){var bi=reA.lastIndex=reB.lastIndex=0,am,bm,bs,i=-1,s=[],q=[];for(a=a+"",b=b+"";(am=reA.exec(a))&&(bm=reB.exec(b));)(bs=bm.index)>bi&&(bs=b.slice(bi,bs),s[i]?s[i]+=bs:s[++i]=bs),(am=am[0])===(bm=bm[0])?s[i]?s[i]+=bm:s[++i]=bm:(s[++i]=null,q.push({i,x:number2(am,bm)})),bi=reB.lastIndex;return bi<b.length&&(bs=b.slice(bi),s[i]?s[i]+=bs:s[++i]=bs),s.length<2?q[0]?one(q[0].x):zero2(b):(b=q.length,function(t){for(var i2=0,o;i2<b;++i2)s[(o=q[i2]).i]=o.x(t);return s.join("")})}function value(a,b){var t=typeof b,c;return b==null||t==="boolean"?constant(b):(t==="number"?number2:t==="string"?(c=color(b))?(b=c,rgb2):string:b instanceof color?rgb2:b instanceof Date?date:isNumberArray(b)?numberArray:Array.isArray(b)?genericArray:typeof b.valueOf!="function"&&typeof b.toString!="function"||isNaN(b)?object:number2)(a,b)}function round(a,b){return a=+a,b=+b,function(t){return Math.round(a*(1-t)+b*t)}}var degrees2=180/Math.PI,identity={translateX:0,translateY:0,rotate:0,skewX:0,scaleX:1,scaleY:1};function decompose(a,b,c,d,e,f){var scaleX,scaleY,skewX;return(scaleX=Math.sqrt(a*a+b*b))&&(a/=scaleX,b/=scaleX),(skewX=a*c+b*d)&&(c-=a*skewX,d-=b*skewX),(scaleY=Math.sqrt(c*c+d*d))&&(c/=scaleY,d/=scaleY,skewX/=scaleY),a*d<b*c&&(a=-a,b=-b,skewX=-skewX,scaleX=-scaleX),{translateX:e,translateY:f,rotate:Math.atan2(b,a)*degrees2,skewX:Math.atan(skewX)*degrees2,scaleX,scaleY}}var svgNode;function parseCss(value2){let m=new(typeof DOMMatrix=="function"?DOMMatrix:WebKitCSSMatrix)(value2+"");return m.isIdentity?identity:decompose(m.a,m.b,m.c,m.d,m.e,m.f)}function parseSvg(value2){return value2==null||(svgNode||(svgNode=document.createElementNS("http://www.w3.org/2000/svg","g")),svgNode.setAttribute("transform",value2),!(value2=svgNode.transform.baseVal.consolidate()))?identity:(value2=value2.matrix,decompose(value2.a,value2.b,value2.c,value2.d,value2.e,value2.f))}function interpolateTransform(parse,pxComma,pxParen,degParen){function pop(s){return s.length?s.pop()+" ":""}function translate(xa,ya,xb,yb,s,q){if(xa!==xb||ya!==yb){var i=s.push("translate(",null,pxComma,null,pxParen);q.push({i:i-4,x:number2(xa,xb)},{i:i-2,x:number2(ya,yb)})}else(xb||yb)&&s.push("translate("+xb+pxComma+yb+pxParen)}function rotate(a,b,s,q){a!==b?(a-b>180?b+=360:b-a>180&&(a+=360),q.push({i:s.push(pop(s)+"rotate(",null,degParen)-2,x:number2(a,b)})):b&&s.push(pop(s)+"rotate("+b+degParen)}function skewX(a,b,s,q){a!==b?q.push({i:s.push(pop(s)+"skewX(",null,degParen)-2,x:number2(a,b)}):b&&s.push(pop(s)+"skewX("+b+degParen)}function scale(xa,ya,xb,yb,s,q){if(xa!==xb||ya!==yb){var i=s.push(pop(s)+"scale(",null,",",null,")");q.push({i:i-4,x:number2(xa,xb)},{i:i-2,x:number2(ya,yb)})}else(xb!==1||yb!==1)&&s.push(pop(s)+"scale("+xb+","+yb+")")}return function(a,b){var s=[],q=[];return a=parse(a),b=parse(b),translate(a.translateX,a.translateY,b.translateX,b.translateY,s,q),rotate(a.rotate,b.rotate,s,q),skewX(a.skewX,b.skewX,s,q),scale(a.scaleX,a.scaleY,b.scaleX,b.scaleY,s,q),a=b=null,function(t){for(var i=-1,n=q.length,o;++i<n;)s[(o=q[i]).i]=o.x(t);return s.join("")}}}var interpolateTransformCss=interpolateTransform(parseCss,"px, ","px)","deg)"),interpolateTransformSvg=interpolateTransform(parseSvg,", ",")",")"),epsilon2=1e-12;function cosh(x){return((x=Math.exp(x))+1/x)/2}function sinh(x){return((x=Math.exp(x))-1/x)/2}function tanh(x){return((x=Math.exp(2*x))-1)/(x+1)}var zoom=(function zoomRho(rho,rho2,rho4){function zoom2(p0,p1){var ux0=p0[0],uy0=p0[1],w0=p0[2],ux1=p1[0],uy1=p1[1],w1=p1[2],dx=ux1-ux0,dy=uy1-uy0,d2=dx*dx+dy*dy,i,S;if(d2<epsilon2)S=Math.log(w1/w0)/rho,i=function(t){return[ux0+t*dx,uy0+t*dy,w0*Math.exp(rho*t*S)]};else{var d1=Math.sqrt(d2),b0=(w1*w1-w0*w0+rho4*d2)/(2*w0*rho2*d1),b1=(w1*w1-w0*w0-rho4*d2)/(2*w1*rho2*d1),r0=Math.log(Math.sqrt(b0*b0+1)-b0),r1=Math.log(Math.sqrt(b1*b1+1)-b1);S=(r1-r0)/rho,i=function(t){var s=t*S,coshr0=cosh(r0),u=w0/(rho2*d1)*(coshr0*tanh(rho*s+r0)-sinh(r0));return[ux0+u*dx,uy0+u*dy,w0*coshr0/cosh(rho*s+r0)]}}return i.duration=Math.abs(S)*1e3*rho/Math.SQRT2,i}return zoom2.rho=function(_){var _1=Math.max(.001,+_),_2=_1*_1,_4=_2*_2;return zoomRho(_1,_2,_4)},zoom2})(Math.SQRT2,2,4);function hsl2(hue){return function(start,end){var h=hue((start=hsl(start)).h,(end=hsl(end)).h),s=nogamma(start.s,end.s),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.s=s(t),start.l=l(t),start.opacity=opacity(t),start+""}}}var hsl_default=hsl2(hue$1),hslLong=hsl2(nogamma);function hcl2(hue){return function(start,end){var h=hue((start=hcl(start)).h,(end=hcl(end)).h),c=nogamma(start.c,end.c),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.c=c(t),start.l=l(t),start.opacity=opacity(t),start+""}}}var hcl_default=hcl2(hue$1),hclLong=hcl2(nogamma);function cubehelix2(hue){return(function cubehelixGamma(y){y=+y;function cubehelix3(start,end){var h=hue((start=cubehelix(start)).h,(end=cubehelix(end)).h),s=nogamma(start.s,end.s),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.s=s(t),start.l=l(Math.pow(t,y)),start.opacity=opacity(t),start+""}}return cubehelix3.gamma=cubehelixGamma,cubehelix3})(1)}var cubehelix_default=cubehelix2(hue$1),cubehelixLong=cubehelix2(nogamma);function constants(x){return function(){return x}}function number3(x){return+x}var unit=[0,1];function identity2(x){return x}function normalize(a,b){return(b-=a=+a)?function(x){return(x-a)/b}:constants(isNaN(b)?NaN:.5)}function clamper(a,b){var t;return a>b&&(t=a,a=b,b=t),function(x){return Math.max(a,Math.min(b,x))}}function bimap(domain,range,interpolate){var d0=domain[0],d1=domain[1],r0=range[0],r1=range[1];return d1<d0?(d0=normalize(d1,d0),r0=interpolate(r1,r0)):(d0=normalize(d0,d1),r0=interpolate(r0,r1)),function(x){return r0(d0(x))}}function polymap(domain,range,interpolate){var j=Math.min(domain.length,range.length)-1,d=new Array(j),r=new Array(j),i=-1;for(domain[j]<domain[0]&&(domain=domain.slice().reverse(),range=range.slice().reverse());++i<j;)d[i]=normalize(domain[i],domain[i+1]),r[i]=interpolate(range[i],range[i+1]);return function(x){var i2=bisectRight(domain,x,1,j)-1;return r[i2](d[i2](x))}}function copy2(source,target){return target.domain(source.domain()).range(source.range()).interpolate(source.interpolate()).clamp(source.clamp()).unknown(source.unknown())}function transformer(){var domain=unit,range=unit,interpolate=value,transform,untransform,unknown,clamp=identity2,piecewise,output,input;function rescale(){var n=Math.min(domain.length,range.length);return clamp!==identity2&&(clamp=clamper(domain[0],domain[n-1])),piecewise=n>2?polymap:bimap,output=input=null,scale}function scale(x){return x==null||isNaN(x=+x)?unknown:(output||(output=piecewise(domain.map(transform),range,interpolate)))(transform(clamp(x)))}return scale.invert=function(y){return clamp(untransform((input||(input=piecewise(range,domain.map(transform),number2)))(y)))},scale.domain=function(_){return arguments.length?(domain=Array.from(_,number3),rescale()):domain.slice()},scale.range=function(_){return arguments.length?(range=Array.from(_),rescale()):range.slice()},scale.rangeRound=function(_){return range=Array.from(_),interpolate=round,rescale()},scale.clamp=function(_){return arguments.length?(clamp=_?!0:identity2,rescale()):clamp!==identity2},scale.interpolate=function(_){return arguments.length?(interpolate=_,rescale()):interpolate},scale.unknown=function(_){return arguments.length?(unknown=_,scale):unknown},function(t,u){return transform=t,untransform=u,rescale()}}function continuous(){return transformer()(identity2,identity2)}function tickFormat(start,stop,count3,specifier){var step=tickStep(start,stop,count3),precision;switch(specifier=formatSpecifier(specifier??",f"),specifier.type){case"s":{var value2=Math.max(Math.abs(start),Math.abs(stop));return specifier.precision==null&&!isNaN(precision=precisionPrefix_default(step,value2))&&(specifier.precision=precision),formatPrefix(specifier,value2)}case"":case"e":case"g":case"p":case"r":{specifier.precision==null&&!isNaN(precision=precisionRound_default(step,Math.max(Math.abs(start),Math.abs(stop))))&&(specifier.precision=precision-(specifier.type==="e"));break}case"f":case"%":{specifier.precision==null&&!isNaN(precision=precisionFixed_default(step))&&(specifier.precision=precision-(specifier.type==="%")*2);break}}return format(specifier)}function linearish(scale){var domain=scale.domain;return scale.ticks=function(count3){var d=domain();return ticks(d[0],d[d.length-1],count3??10)},scale.tickFormat=function(count3,specifier){var d=domain();return tickFormat(d[0],d[d.length-1],count3??10,specifier)},scale.nice=function(count3){count3==null&&(count3=10);var d=domain(),i0=0,i1=d.length-1,start=d[i0],stop=d[i1],prestep,step,maxIter=10;for(stop<start&&(step=start,start=stop,stop=step,step=i0,i0=i1,i1=step);maxIter-- >0;){if(step=tickIncrement(start,stop,count3),step===prestep)return d[i0]=start,d[i1]=stop,domain(d);if(step>0)start=Math.floor(start/step)*step,stop=Math.ceil(stop/step)*step;else if(step<0)start=Math.ceil(start*step)/step,stop=Math.floor(stop*step)/step;else break;prestep=step}return scale},scale}function linear2(){var scale=continuous();return scale.copy=function(){return copy2(scale,linear2())},initRange.apply(scale,arguments),linearish(scale)}/*! d3-scale, d3-format, d3-array, d3-interpolate, d3-color. Copyright 2010-2023 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
*/function penOf(canvas,width,height){let ratio=globalThis.devicePixelRatio||1,size=[Math.round(width*ratio),Math.round(height*ratio)];(canvas.width!==size[0]||canvas.height!==size[1])&&([canvas.width,canvas.height]=size);let pen=canvas.getContext("2d");return pen.setTransform(ratio,0,0,ratio,0,0),pen.clearRect(0,0,width,height),pen}var steps=value2=>Math.round(value2).toLocaleString("en");function counted(count3,noun){return`${count3} ${noun}${Number(count3)===1?"":"s"}`}function brief(value2,digits=3){if(value2==null||Number.isNaN(value2))return"–";if(value2===0)return"0";let size=Math.abs(value2),text=value2.toExponential(1).replace("e-","e−").replace("e+","e");return size>=10**digits&&size<1e5?text=String(Math.round(value2)):size>=.001&&size<10**digits&&(text=value2.toPrecision(digits)),text.replace(/^-/,"−")}function ramp(values,gradient){let[low=0,high=1]=extent(values.filter(Number.isFinite));return gradient?[low,high]=high>0?[-high,high]:[low||-1e-30,-low||1e-30]:low===high&&(high=low+1),{low,high,colours:(ground2,accent,ink)=>(gradient?linear2([low,0,high],[accent,ground2,ink]):linear2([low,high],[ground2,accent])).clamp(!0)}}var HINT=["Point at a cell or use the arrow keys;","a click or Enter chooses its row."],Matrix=class{constructor(act){Object.assign(this,{act,part:null,cell:null});let menu=(name,about,send)=>element("select",{class:name,"aria-label":about,title:about,onchange:({target})=>act(name,send(target.value))});this.names=menu("matrix","what the cells show",matrix=>({matrix})),this.groups=menu("group","the columns",place=>({place:Number(place)})),this.canvas=element("canvas",{class:"heat",tabindex:"0",role:"application","aria-roledescription":"heat map"}),this.box=element("div",{class:"heat-box"},this.canvas),this.low=element("span"),this.high=element("span"),this.key=element("div",{class:"key","aria-hidden":"true"},this.low,element("span",{class:"colours"}),this.high),this.value=element("p",{class:"reading-value"}),this.across=element("p"),this.down=element("p"),this.reading=element("div",{class:"reading",role:"status"},this.value,this.across,this.down),this.root=element("div",{class:"matrix-part"},element("div",{class:"head"},this.names,this.groups),this.box,this.key,this.reading),this.canvas.addEventListener("pointermove",event=>this.point(event)),this.canvas.addEventListener("pointerleave",()=>this.read(null)),this.canvas.addEventListener("click",event=>{this.point(event),this.choose()}),this.canvas.addEventListener("keydown",event=>this.walk(event)),onResize(this.box,()=>this.paint())}offer(question,row){this.row=row,this.root.hidden=!question,question&&(offer(this.names,question.matrices.map(name=>[name,name])),offer(this.groups,question.groups.map((name,place)=>[place,name])),this.groups.hidden=question.groups.length<2)}show(part,texts){if(!part.values){this.part=null;return}let values=floats32(part.values),columns=part.columns.map(column=>typeof column=="number"?texts[column]:column);this.part={...part,values,columns,texts},this.names.value=part.name,this.groups.value=String(part.group),this.scale=ramp(values,part.gradient);let ends=part.gradient?[`pull ${brief(-this.scale.high,2)}`,`push ${brief(this.scale.high,2)}`]:[brief(this.scale.low,2),brief(this.scale.high,2)];write(this.low,ends[0]),write(this.high,ends[1]),attribute(this.key,"data-gradient",String(part.gradient));let few=part.rows.length<part.of?`: the ${part.rows.length} of ${part.of} that matter most here`:"";this.note=`${part.name} with ${this.groups.selectedOptions[0]?.textContent??""}${few}`,attribute(this.canvas,"aria-label",`${this.note}; ${part.rows.length} rows, ${columns.length} columns, row ${part.rows.indexOf(this.row)+1} is the chosen sentence. ${HINT.join(" ")}`),this.cell&&(this.cell[0]>=part.rows.length||this.cell[1]>=columns.length)&&(this.cell=null),this.read(this.cell)}paint(){let{canvas,box,part}=this,[wide,high]=[box.clientWidth,box.clientHeight];if(!part||!wide||!high)return;let pen=penOf(canvas,wide,high),[rows,columns]=[part.rows.length,part.columns.length],style=getComputedStyle(this.root),ink=name=>style.getPropertyValue(name).trim(),colour=this.scale.colours(ink("--ground"),ink("--accent"),ink("--ink")),x=column=>Math.round(column*wide/columns),y=row=>Math.round(row*high/rows);part.values.forEach((value2,place)=>{let[row,column]=[Math.floor(place/columns),place%columns];pen.fillStyle=colour(value2),pen.fillRect(x(column),y(row),x(column+1)-x(column),y(row+1)-y(row))});let frame=(left,top,right,bottom)=>{for(let[shade,width]of[[ink("--ground"),4],[ink("--ink"),2]])pen.strokeStyle=shade,pen.lineWidth=width,pen.strokeRect(left+1,top+1,right-left-2,bottom-top-2)},at=part.rows.indexOf(this.row);at>=0&&frame(0,y(at)-2,wide,y(at+1)+2),this.cell&&frame(x(this.cell[1]),y(this.cell[0]),x(this.cell[1]+1),y(this.cell[0]+1))}point(event){let{part}=this;if(!part)return;let{left,top,width,height}=this.canvas.getBoundingClientRect(),place=(at,size,count3)=>Math.max(0,Math.min(count3-1,Math.floor(at/size*count3))),cell=[place(event.clientY-top,height,part.rows.length),place(event.clientX-left,width,part.columns.length)];cell.join()!==this.cell?.join()&&this.read(cell)}read(cell){this.cell=cell;let{part}=this;if(!cell||!part)write(this.value,this.note??""),write(this.across,HINT[0]),write(this.down,HINT[1]);else{let[row,column]=cell,value2=part.values[row*part.columns.length+column],word="";part.gradient&&value2&&(word=value2<0?" (pull)":" (push)"),write(this.value,`${part.name} ${brief(value2,4)}${word}`),write(this.across,`${row+1}. ${part.texts[part.rows[row]]}`),write(this.down,`${column+1}. ${part.columns[column]}`)}for(let line of[this.value,this.across,this.down])attribute(line,"title",line.textContent);this.paint()}walk(event){let{part}=this;if(!part||event.ctrlKey||event.metaKey||event.altKey)return;let[last,end]=[part.rows.length-1,part.columns.length-1],from=this.cell??[Math.max(0,part.rows.indexOf(this.row)),0],[row,column]=from;if(event.key==="Enter")this.choose();else if(event.key==="Escape")this.read(null);else{let to={ArrowLeft:[row,column-1],ArrowRight:[row,column+1],ArrowUp:[row-1,column],ArrowDown:[row+1,column],Home:[row,0],End:[row,end],PageUp:[0,column],PageDown:[last,column]}[event.key];if(!to)return;this.read(this.cell?[Math.max(0,Math.min(last,to[0])),Math.max(0,Math.min(end,to[1]))]:from)}consume(event)}choose(){this.cell&&this.part&&this.act("choose",{row:this.part.rows[this.cell[0]]})}};var OUTLINES={circle:"M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",square:"M-.88 -.88H.88V.88H-.88Z",diamond:"M0 -1.2L1.2 0L0 1.2L-1.2 0Z",cross:"M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z","triangle-up":"M0 -1.2L1.15 .8H-1.15Z",x:"M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",star:"M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z"},LIGHT=["#0072B2","#E69F00","#009E73","#D55E00","#CC79A7","#56B4E9","#6F4AB8","#7D5A2B","#3D4650","#8AA000","#B5123F"];var DISTINCT=LIGHT.length;var GUTTER=72,STEM=24,MOST={one:18,all:32},BEND=10;function flows(rows,chosen){let sides=[rows.filter(({pull})=>pull>0),rows.filter(({pull})=>pull<0)],sums=sides.map(side=>side.reduce((sum,{pull})=>sum+Math.abs(pull),0)),strongest=Math.max(...rows.map(({pull})=>Math.abs(pull)),0)||1,scale=Math.min(MOST.one/strongest,MOST.all/(Math.max(...sums)||1)),width=({pull})=>Math.max(1,Math.abs(pull)*scale);return[...pulls(sides[0],width,chosen.top),...pushes(sides[1],width,chosen.bottom)]}var head=wide=>[Math.max(7,wide/2),Math.max(4,wide*.8)];function places(side,width){let widths=side.map(width),left=STEM-widths.reduce((sum,one2)=>sum+one2,0)/2;return widths.map(one2=>{let x=left+one2/2;return left+=one2,{x,width:one2}})}function pulls(side,width,top){return places(side,width).map(({x,width:wide},place)=>{let{y}=side[place],[tip,half]=head(wide),bend=Math.min(BEND+wide/2,top-y-tip);return{d:`M${GUTTER-4} ${y}H${x+bend}Q${x} ${y} ${x} ${y+bend}V${top-tip}`,width:wide,head:`M${x-half} ${top-tip}H${x+half}L${x} ${top}Z`,kind:"pull"}})}function pushes(side,width,bottom){return places(side,width).reverse().map(({x},place)=>{let{y}=side[place],wide=width(side[place]),[tip,half]=head(wide),bend=Math.min(BEND+wide/2,y-bottom),end=GUTTER-4;return{d:`M${x} ${bottom}V${y-bend}Q${x} ${y} ${x+bend} ${y}H${end-tip}`,width:wide,head:`M${end-tip} ${y-half}V${y+half}L${end} ${y}Z`,kind:"push"}})}var FEWEST={rows:3,pushing:1},MARKERS=["circle","square","diamond","triangle-up","cross","star","x"];function wordOf(pull){return pull<0?"push":pull>0?"pull":""}function marker(place){return drawn("svg",{class:"marker",viewBox:"-1.5 -1.5 3 3","aria-hidden":"true"},drawn("path",{d:OUTLINES[MARKERS[place%MARKERS.length]]}))}var Pulls=class{constructor(act,whole){Object.assign(this,{act,whole,of:null}),this.question=element("select",{class:"question","aria-label":"question of the loss",onchange:()=>act("question",{place:Number(this.question.value)})}),this.role=element("span",{class:"role"}),this.rest=element("p",{class:"rest"}),this.heads=element("div",{class:"heads"},this.rest,...["∂loss/∂score","gradient","weight","score"].map((text,place)=>element("span",{text,class:place?null:"slope"}))),this.pulling=element("ol",{class:"pulling","aria-label":"pull"}),this.text=element("p",{class:"chosen-text"}),this.note=element("p",{class:"chosen-note"}),this.chosen=element("div",{class:"chosen",role:"group","aria-label":"the chosen sentence"},this.text,this.note),this.pushing=element("ol",{class:"pushing","aria-label":"push"}),this.parts=element("table",{class:"parts"}),this.arrows=drawn("svg",{class:"arrows","aria-hidden":"true"});let head2=element("div",{class:"head"},element("h3",{text:"Who pulls, who pushes"}),this.role,this.question);this.root=element("div",{class:"pulls"},head2,this.heads,this.pulling,this.chosen,this.pushing,this.parts,this.arrows);for(let line of[this.text,this.note,this.role,this.rest])whole.on(line,()=>line.textContent,"below");onResize(this.root,()=>this.lay())}show(sentence,step,question){let{pairs}=sentence;this.of={sentence,texts:step.texts,kinds:sentence.kinds.map(([kind])=>kind),measure:question?.measure??""},this.offer(step.questions,sentence.question),write(this.text,step.texts[sentence.row]),write(this.note,sentence.about),attribute(this.heads.lastChild,"title",this.of.measure),attribute(this.root,"data-pairs",String(!!pairs)),this.parts.replaceChildren(...sentence.parts?this.table(sentence.parts):[]),this.lay()}offer(questions,place){let roles=questions.map(({role})=>role);offer(this.question,roles.map((text,value2)=>[value2,text]),place),this.question.hidden=roles.length<2,this.role.hidden=roles.length!==1,write(this.role,roles[0]??"")}table(parts){let rows=parts.map(([name,value2])=>element("tr",{},element("th",{scope:"row",text:name}),element("td",{text:brief(value2,5)})));return[element("caption",{text:"What the method records of this batch"}),element("tbody",{},...rows)]}lay(){if(!this.of||!this.root.clientHeight)return;let{pairs,all}=this.of.sentence,[pulling,pushing]=[[],[]];for(let pair of pairs??[])(pair.pull<0?pushing:pulling).push(pair);let taken=this.heads.offsetTop+this.heads.offsetHeight+this.chosen.offsetHeight,high=parseFloat(getComputedStyle(this.root).getPropertyValue("--row"))||40,room=Math.max(FEWEST.rows,Math.floor((this.root.clientHeight-taken)/high)),above=Math.min(pulling.length,room-Math.min(pushing.length,FEWEST.pushing)),shown=[pulling.slice(0,above),pushing.slice(0,room-above)];this.pulling.replaceChildren(...shown[0].map(pair=>this.row(pair))),this.pushing.replaceChildren(...shown[1].map(pair=>this.row(pair)));let count3=shown[0].length+shown[1].length,drawnNorm=shown.flat().reduce((sum,{pull})=>sum+Math.abs(pull??0),0),others=all?all.count-count3:0;write(this.rest,others>0?`${others} others: ${brief(Math.max(0,all.norm-drawnNorm),2)} in all`:""),this.flow(shown)}flow([pulling,pushing]){let{root,arrows,chosen}=this,middle=list=>[...list.children].map(part=>part.offsetTop+part.offsetHeight/2),rows=[...middle(this.pulling).map((y,place)=>({y,pull:pulling[place].pull})),...middle(this.pushing).map((y,place)=>({y,pull:pushing[place].pull}))];arrows.setAttribute("height",root.clientHeight);let at={top:chosen.offsetTop,bottom:chosen.offsetTop+chosen.offsetHeight};arrows.replaceChildren(...flows(rows,at).map(({d,width,head:head2,kind})=>drawn("g",{class:kind},drawn("path",{d,class:"stem","stroke-width":width}),drawn("path",{d:head2,class:"tip"}))))}row(pair){let{texts,kinds,measure}=this.of,text=pair.text??texts[pair.row],word=wordOf(pair.pull),kind=pair.name?`${pair.kind}, ${pair.name}`:pair.kind,strength=pair.pull?`${word} ${brief(Math.abs(pair.pull))}`:brief(pair.pull),weight=pair.weight===null?"":brief(pair.weight),slope=`${pair.gradient>0?"+":""}${brief(pair.gradient)}`,numbers=`${weight&&`softmax weight ${weight}, `}${measure} ${brief(pair.score,4)}, ∂loss/∂score ${slope}`,told=`${strength}, ${kind}: ${text}; ${numbers}`,button=element("button",{type:"button",class:`pair ${word}`,"aria-label":told,"aria-disabled":String(pair.row===null),onclick:()=>pair.row!==null&&this.act("choose",{row:pair.row})},marker(Math.max(0,kinds.indexOf(pair.kind))),element("span",{class:"kind",text:kind}),element("span",{class:"number slope",text:slope}),element("span",{class:"number strength",text:strength}),element("span",{class:"number",text:weight}),element("span",{class:"number",text:brief(pair.score)}),element("span",{class:"text",text}));return this.whole.on(button,()=>`${text}
${kind}: ${strength}, ${numbers}`,"below"),element("li",{},button)}},bar=(kind,share)=>element("span",{class:"track","aria-hidden":"true"},element("span",{class:`bar ${kind}`,style:`width:${share}%`}));function shares(values){let total=values.reduce((sum,value2)=>sum+Math.abs(value2??0),0);return values.map(value2=>total?100*Math.abs(value2??0)/total:0)}var Shares=class{constructor(){this.terms=element("ul",{class:"terms"}),this.kinds=element("ul",{class:"kinds"}),this.head=element("h3",{text:"On this sentence, by kind"}),this.root=element("div",{class:"shares",tabindex:"0",role:"group","aria-label":"shares"},element("h3",{text:"Terms of the loss"}),this.terms,this.head,this.kinds)}show(terms,kinds){let ofLoss=shares(terms.map(([,value2])=>value2)),ofGradient=shares(terms.map(([,,gradient])=>gradient));this.terms.replaceChildren(...terms.map(([name,value2,gradient],place)=>element("li",{title:`${name}: value ${brief(value2,4)}, length of its gradient on the weights ${brief(gradient,4)}`},element("span",{class:"name",text:name}),element("span",{class:"value",text:brief(value2,4)}),element("span",{class:"half"},bar("was",ofLoss[place]),element("span",{class:"share",text:`loss ${Math.round(ofLoss[place])} %`})),element("span",{class:"half"},bar("hollow",ofGradient[place]),element("span",{class:"share",text:`gradient ${Math.round(ofGradient[place])} %`})))));let most=Math.max(...kinds.map(([,length])=>Math.abs(length??0)),0);this.head.hidden=!kinds.length,this.kinds.replaceChildren(...kinds.map(([kind,length])=>{let word=wordOf(length)||"none";return element("li",{title:`${kind}: all together ${word} ${brief(Math.abs(length??0))}`},element("span",{class:"name",text:kind}),element("span",{class:"value",text:`${kind.startsWith("gradient on")?"":`${word} `}${brief(length===null?null:Math.abs(length))}`}),bar(word,most?100*Math.abs(length??0)/most:0))}))}};var count2=0,Sentences=class{constructor(act,whole){Object.assign(this,{act,whole,rows:[],row:null,shown:[],name:`clwork-sentence-${++count2}-`}),this.find=element("input",{type:"search",class:"find",placeholder:"search sentences","aria-label":"find sentences by their words",spellcheck:"false"}),this.find.addEventListener("input",()=>this.filter()),this.list=element("div",{class:"list",role:"listbox",tabindex:"0","aria-label":"sentences of the batch, the largest loss first","data-lm-suppress-shortcuts":!0}),this.list.addEventListener("keydown",event=>this.walk(event)),this.found=element("p",{class:"found",role:"status"}),this.root=element("div",{class:"sentences"},this.find,this.found,this.list)}fill(texts,losses){let total=losses?losses.reduce((sum,loss)=>sum+Math.abs(loss),0):0,most=losses?losses.reduce((high,loss)=>Math.max(high,Math.abs(loss)),0):0,order=texts.map((_,row)=>row);losses&&order.sort((one2,other)=>losses[other]-losses[one2]||one2-other),this.rows=order.map(row=>this.entry(row,texts[row],losses?.[row],total,most)),this.list.replaceChildren(...this.rows.map(({part})=>part)),this.filter(!0)}entry(row,text,loss,total,most){let share=null;loss!==void 0&&(share=total?100*Math.abs(loss)/total:0);let more=share===null?[]:[element("span",{class:"loss",text:brief(loss)}),element("span",{class:"track","aria-hidden":"true"},element("span",{class:"bar",style:`width:${most?100*Math.abs(loss)/most:0}%`}))],told=share===null?text:`${text}, adds ${brief(loss)}, ${brief(share,2)} % of the loss`,part=element("div",{class:"entry",role:"option",id:this.name+row,"aria-label":told},element("span",{class:"text",text}),...more);return part.addEventListener("click",()=>this.choose(row)),this.whole.on(part,()=>share===null?text:`${text}
adds ${brief(loss)}: ${brief(share,2)} % of the batch's loss`,"below"),{row,text:text.toLowerCase(),part}}filter(quiet=!1){let words=this.find.value.trim().toLowerCase();for(let entry of this.rows)entry.part.hidden=!entry.text.includes(words);this.shown=this.rows.filter(({part})=>!part.hidden);let found="";words&&this.shown.length?found=`${counted(this.shown.length,"sentence")} of ${this.rows.length}`:words&&(found="no sentence has these words"),write(this.found,found),!quiet&&this.shown.length&&!this.shown.some(({row})=>row===this.row)&&this.choose(this.shown[0].row)}choose(row){this.mark(row),this.act("choose",{row})}mark(row){this.row=row;for(let entry of this.rows)attribute(entry.part,"aria-selected",String(entry.row===row));attribute(this.list,"aria-activedescendant",this.name+row);let part=this.rows.find(entry=>entry.row===row)?.part;if(!part||part.hidden)return;let{list}=this;part.offsetTop<list.scrollTop&&(list.scrollTop=part.offsetTop),part.offsetTop+part.offsetHeight>list.scrollTop+list.clientHeight&&(list.scrollTop=part.offsetTop+part.offsetHeight-list.clientHeight)}walk(event){let at=this.shown.findIndex(({row})=>row===this.row),last=this.shown.length-1,page=Math.max(1,Math.floor(this.list.clientHeight/32)-1),to={ArrowUp:at-1,ArrowDown:at+1,PageUp:at-page,PageDown:at+page,Home:0,End:last}[event.key];to===void 0||last<0||(consume(event),this.choose(this.shown[Math.max(0,Math.min(last,to))].row))}},Stops=class{constructor(act,now){Object.assign(this,{act,now,buttons:new Map}),this.list=element("div",{class:"stops",role:"radiogroup","aria-label":"step"}),this.list.addEventListener("keydown",event=>this.walk(event)),this.again=element("button",{type:"button",class:"again",text:"look again",title:"compute the forces again, because the active run has advanced",onclick:()=>act("compute")}),this.root=element("div",{class:"walk"},this.list,this.again)}fill(stops){if(stops.length===this.buttons.size&&stops.every(step=>this.buttons.has(step)))return;let focused=this.list.contains(document.activeElement);this.buttons=new Map(stops.map(step=>[step,this.stop(step)])),this.list.replaceChildren(...this.buttons.values()),this.mark(this.chosen,!1),focused&&this.buttons.get(this.chosen)?.focus({preventScroll:!0})}stop(step){let name=`after step ${steps(step)}`,text=steps(step);return step===null?[name,text]=[this.now,"now"]:step===0&&([name,text]=["at the start","start"]),element("button",{type:"button",class:"stop",role:"radio","aria-label":name,title:name,text,onclick:()=>this.act("step",{step})})}mark(chosen=null,working=!1){this.chosen=chosen;let at=this.buttons.has(chosen)?chosen:null;for(let[step,button]of this.buttons)attribute(button,"aria-checked",String(step===chosen)),attribute(button,"tabindex",step===at?"0":"-1");attribute(this.root,"data-working",String(working))}walk(event){let all=[...this.buttons.values()],at=all.indexOf(document.activeElement),to={ArrowLeft:at-1,ArrowUp:at-1,ArrowRight:at+1,ArrowDown:at+1,Home:0,End:all.length-1}[event.key];if(to===void 0||at<0)return;consume(event);let next=all[Math.max(0,Math.min(all.length-1,to))];next.focus(),next!==all[at]&&next.click()}};var style_default=`/* The force view; colours and type are in ../shared/look.css. */

.clwork-forces {
  --row: 40px;
  --height: clamp(584px, calc(100vh - 136px), 1080px);
  min-width: 0;
}
.clwork-forces * {
  min-width: 0;
}
.clwork-forces :is(h2, h3, p, ol, ul, table) {
  margin: 0;
  padding: 0;
  list-style: none;
  font-size: inherit;
  line-height: inherit;
  color: inherit;
}
.clwork-forces h3 {
  font-weight: 600;
  white-space: nowrap;
}
.clwork-forces :is(.again, .stop) {
  height: var(--control);
}
.clwork-forces :is(canvas, .list, .formula, .shares, .pair):focus-visible {
  outline-offset: -3px;
}
.clwork-forces
  :is(.title, .state, .role, .text, .kind, .name, .chosen-note, .reading p, .heads > *) {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}

.clwork-forces .stage {
  display: grid;
  height: var(--height);
  min-height: 584px;
  padding: 8px;
  column-gap: 8px;
  row-gap: 0;
  grid-template-columns: clamp(184px, 22cqw, 256px) minmax(0, 1fr) clamp(184px, 25cqw, 296px);
  grid-template-rows: 32px 24px auto 8px minmax(0, 1fr) 8px fit-content(45%);
  grid-template-areas: "control control control" "state state state" "formula formula formula" ". . ." "sentences pulls matrix" ". pulls matrix" "shares pulls matrix";
}

/* Which step. */
.clwork-forces .control {
  grid-area: control;
  display: flex;
  gap: 8px;
  align-items: center;
}
.clwork-forces .title {
  flex: 0 1 auto;
  max-width: 45%;
  font-size: var(--large);
  line-height: 32px;
  font-weight: 600;
}
.clwork-forces .walk {
  flex: 1 1 0;
  display: flex;
  gap: 8px;
  justify-content: flex-end;
  align-items: center;
}
.clwork-forces .stops {
  position: relative;
  display: flex;
  gap: 16px;
  overflow-x: auto;
  scrollbar-width: none;
  padding: 0 4px;
}
.clwork-forces .stop {
  position: relative;
  flex: none;
  min-width: 40px;
  border-radius: 16px;
  padding: 0 12px;
}
.clwork-forces .stop + .stop::before {
  content: "";
  position: absolute;
  right: 100%;
  top: 50%;
  width: 17px;
  border-top: 1px solid var(--edge);
}
.clwork-forces .stop[aria-checked="true"] {
  background: var(--tint);
  color: var(--accent);
  border-color: var(--accent);
  font-weight: 600;
}
.clwork-forces .stop:focus-visible {
  outline-offset: -3px;
}
.clwork-forces .again {
  flex: none;
}
.clwork-forces .walk[data-working="true"] .stop[aria-checked="true"] {
  animation: clwork-forces-breath 800ms ease-in-out infinite;
}
@keyframes clwork-forces-breath {
  50% {
    opacity: 0.6;
  }
}
.clwork-forces .state {
  grid-area: state;
  line-height: 24px;
}
.clwork-forces .state[data-trouble="true"] {
  color: var(--trouble);
}

/* The formula. */
.clwork-forces .formula {
  grid-area: formula;
  height: 96px;
  display: flex;
  gap: 8px 32px;
  align-items: safe center;
  justify-content: space-between;
  padding: 0 16px;
  border-radius: 8px;
  background: var(--raised);
  overflow: auto;
  font-size: var(--large);
  line-height: 1.2;
}
.clwork-forces .formula[data-tall="true"] {
  height: 128px;
}
.clwork-forces .formula-main {
  flex: 1 1 auto;
  min-width: min-content !important;
  display: flex;
  flex-wrap: wrap;
  gap: 4px 32px;
  align-items: center;
}
.clwork-forces .formula-more {
  flex: none;
  display: grid;
  gap: 4px;
}
.clwork-forces .formula-more {
  font-size: max(12px, 0.78em);
}
.clwork-forces .formula-line {
  display: flex;
}
.clwork-forces .formula math {
  font-size: 1em;
  margin: 0;
  display: inline math;
  math-style: normal;
}

/* Its sentences, and the shares under them. */
.clwork-forces .sentences {
  grid-area: sentences;
  display: flex;
  flex-direction: column;
  gap: 8px;
}
.clwork-forces .find {
  width: 100%;
  flex: none;
}
.clwork-forces .found {
  color: var(--soft);
  font-size: var(--small);
  line-height: var(--line-small);
}
.clwork-forces .found:empty {
  display: none;
}
.clwork-forces .list {
  position: relative;
  flex: 1 1 0;
  min-height: 96px;
  overflow-y: auto;
  border: 1px solid var(--rule);
  border-radius: 8px;
}
.clwork-forces .entry {
  position: relative;
  display: flex;
  gap: 8px;
  height: 32px;
  padding: 2px 8px 0;
  cursor: pointer;
}
.clwork-forces .entry .text {
  flex: 1 1 0;
}
.clwork-forces .entry .loss {
  flex: none;
  font-size: var(--small);
  color: var(--soft);
}
.clwork-forces .entry .track {
  position: absolute;
  left: 8px;
  right: 8px;
  bottom: 4px;
  height: 4px;
  background: none;
}
.clwork-forces .entry .bar {
  background: var(--was);
}
.clwork-forces .entry:hover {
  background: var(--raised);
}
.clwork-forces .entry[aria-selected="true"] {
  background: var(--tint);
}
.clwork-forces .entry[aria-selected="true"] .text {
  font-weight: 600;
}
.clwork-forces .entry[aria-selected="true"] .loss {
  color: var(--ink);
}
.clwork-forces .entry[aria-selected="true"] .bar {
  background: var(--accent);
}
.clwork-forces .track {
  display: block;
  height: 8px;
  border-radius: 4px;
  background: var(--band);
  overflow: hidden;
}
.clwork-forces .bar {
  display: block;
  height: 100%;
  border-radius: 4px;
  background: var(--was);
}
.clwork-forces .bar.hollow {
  background: none;
  border: 2px solid var(--was);
}
.clwork-forces .bar.pull {
  background: var(--accent);
}
.clwork-forces .bar.push {
  background: var(--ink);
}
.clwork-forces .shares {
  grid-area: shares;
  overflow: auto;
  padding: 4px 8px;
  border: 1px solid var(--rule);
  border-radius: 8px;
  font-size: var(--small);
  line-height: var(--line-small);
}
.clwork-forces .shares :is(.terms, .kinds) {
  display: grid;
  gap: 4px;
}
.clwork-forces .shares h3 + ul {
  margin-bottom: 4px;
}
.clwork-forces .shares li {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0 8px;
}
.clwork-forces .shares li > .track {
  grid-column: 1 / -1;
}
.clwork-forces .terms li {
  grid-template-columns: 1fr 1fr;
}
.clwork-forces .terms .value {
  justify-self: end;
}
.clwork-forces .value {
  font-weight: 600;
}
.clwork-forces .share {
  display: block;
  color: var(--soft);
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}

/* Who pulls, who pushes. */
.clwork-forces .pulls {
  grid-area: pulls;
  position: relative;
  overflow: hidden;
  border: 1px solid var(--rule);
  border-radius: 8px;
  padding: 0 8px;
}
.clwork-forces .head {
  display: flex;
  gap: 8px;
  align-items: center;
  height: 32px;
}
.clwork-forces .head select {
  flex: 1 1 0;
  width: 100%;
  height: 32px;
  text-overflow: ellipsis;
}
.clwork-forces .role {
  flex: 1 1 0;
  text-align: right;
  color: var(--soft);
  font-size: var(--small);
}
.clwork-forces :is(.heads, .pair) {
  display: grid;
  grid-template-columns: 16px minmax(0, 1fr) 96px 48px 40px;
  column-gap: 8px;
  align-items: center;
}
.clwork-forces .heads {
  padding: 0 8px 0 72px;
  height: 16px;
  font-size: var(--small);
  line-height: var(--line-small);
  color: var(--soft);
  text-align: right;
}
.clwork-forces .slope {
  display: none;
}
.clwork-forces .heads .slope + span {
  grid-column: 3;
}
.clwork-forces :is(.pulling, .pushing) {
  padding-left: 64px;
}
.clwork-forces :is(.pulling, .pushing) li,
.clwork-forces .pair {
  height: var(--row);
}
.clwork-forces .pair {
  width: 100%;
  padding: 2px 8px;
  border: 0;
  border-radius: 8px;
  background: none;
  text-align: left;
  align-content: center;
  line-height: var(--line-small);
}
.clwork-forces .pair[aria-disabled="true"] {
  cursor: default;
}
.clwork-forces .pair .marker {
  width: 12px;
  height: 12px;
  justify-self: center;
  fill: var(--ink);
}
.clwork-forces .pair.pull .marker {
  fill: var(--accent);
}
.clwork-forces .pair :is(.kind, .number) {
  font-size: var(--small);
  color: var(--soft);
}
.clwork-forces .pair .number {
  text-align: right;
  color: var(--ink);
  white-space: nowrap;
}
.clwork-forces .pair .strength {
  font-weight: 600;
}
.clwork-forces .pair.pull .strength {
  color: var(--accent);
}
.clwork-forces .pair .text {
  grid-column: 2 / -1;
  line-height: var(--line);
}
.clwork-forces .chosen {
  height: 64px;
  padding: 4px 8px;
  border-left: 4px solid var(--accent);
  border-radius: 8px;
  background: var(--tint);
}
.clwork-forces .chosen-text {
  height: 40px;
  font-weight: 600;
  overflow: hidden;
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
}
.clwork-forces .chosen-note {
  font-size: var(--small);
  line-height: var(--line-small);
}
.clwork-forces .rest {
  grid-column: 1 / 3;
  text-align: left;
}
.clwork-forces .arrows {
  position: absolute;
  left: 8px;
  top: 0;
  width: 72px;
  pointer-events: none;
  overflow: visible;
}
.clwork-forces .stem {
  fill: none;
}
.clwork-forces .arrows .pull .stem {
  stroke: var(--accent);
}
.clwork-forces .arrows .pull .tip {
  fill: var(--accent);
}
.clwork-forces .arrows .push .stem {
  stroke: var(--ink);
}
.clwork-forces .arrows .push .tip {
  fill: var(--ink);
}
.clwork-forces .parts {
  display: none;
  margin-top: 8px;
  border-collapse: collapse;
}
.clwork-forces .parts caption {
  text-align: left;
  font-weight: 600;
}
.clwork-forces .parts :is(th, td) {
  padding: 0 16px 0 0;
  text-align: left;
  font-weight: 400;
}
.clwork-forces .pulls[data-pairs="false"] {
  overflow: auto;
}
.clwork-forces .pulls[data-pairs="false"] :is(.heads, .arrows) {
  display: none;
}
.clwork-forces .pulls[data-pairs="false"] .chosen {
  height: auto;
}
.clwork-forces .pulls[data-pairs="false"] .chosen-note {
  white-space: normal;
}
.clwork-forces .pulls[data-pairs="false"] .parts {
  display: table;
}

/* The matrix. */
.clwork-forces .matrix-part {
  grid-area: matrix;
  display: flex;
  flex-direction: column;
  gap: 8px;
}
.clwork-forces .matrix-part .head {
  flex: none;
}
.clwork-forces .heat-box {
  position: relative;
  flex: 1 1 0;
  min-height: 120px;
  border: 1px solid var(--rule);
  border-radius: 8px;
  overflow: hidden;
}
.clwork-forces .heat {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  cursor: crosshair;
}
.clwork-forces .key {
  display: flex;
  gap: 8px;
  align-items: center;
  height: 16px;
  font-size: var(--small);
  line-height: var(--line-small);
  color: var(--soft);
}
.clwork-forces .colours {
  flex: 1 1 0;
  height: 8px;
  border: 1px solid var(--rule);
  border-radius: 4px;
  background: linear-gradient(90deg, var(--ground), var(--accent));
}
.clwork-forces .key[data-gradient="true"] .colours {
  background: linear-gradient(90deg, var(--accent), var(--ground), var(--ink));
}
.clwork-forces .reading {
  flex: none;
  height: 56px;
  font-size: var(--small);
  line-height: var(--line-small);
}
.clwork-forces .reading-value {
  font-weight: 600;
  line-height: var(--line);
}

.clwork-forces .whole {
  position: absolute;
  z-index: 2;
  left: 0;
  top: 0;
  padding: 8px;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--raised);
  font-size: var(--small);
  line-height: var(--line-small);
  white-space: pre-line;
  overflow-wrap: anywhere;
  pointer-events: none;
}

@container (min-width: 1400px) {
  .stage {
    --small: 13px;
    --normal: 15px;
    --large: 20px;
    --line: 24px;
    font-size: var(--normal);
    line-height: var(--line);
    grid-template-columns: 320px minmax(0, 1fr) minmax(320px, 30%);
  }
  .stage :is(.heads, .pair) {
    grid-template-columns: 16px minmax(0, 1fr) 104px 104px 72px 72px;
  }
  .stage .slope {
    display: block;
  }
  .stage .heads .slope {
    grid-column: 3;
  }
  .stage .heads .slope + span {
    grid-column: auto;
  }
}
@container (max-width: 839px) {
  .stage {
    --row: 56px;
    height: auto !important;
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) !important;
    grid-template-rows: auto 24px auto 8px 504px 8px 400px !important;
    grid-template-areas: "control control" "state state" "formula formula" ". ." "sentences pulls" ". ." "shares matrix" !important;
  }
  .stage .control {
    flex-wrap: wrap;
  }
  .stage .formula {
    height: auto !important;
    flex-direction: column;
    align-items: flex-start;
    padding: 8px;
  }
  .stage .pair .kind {
    grid-column: 2 / -1;
  }
  .stage .pair .strength {
    grid-column: 2 / 4;
    text-align: left;
  }
}
@container (max-width: 559px) {
  .stage {
    --control: 40px;
    grid-template-columns: minmax(0, 1fr) !important;
    grid-template-rows: auto 24px auto 8px 248px 8px 544px 8px 400px 8px auto !important;
    grid-template-areas: "control" "state" "formula" "." "sentences" "." "pulls" "." "matrix" "." "shares" !important;
  }
  .stage .title {
    max-width: none;
    flex: 1 1 100%;
  }
  .stage .walk {
    justify-content: flex-start;
  }
  .stage .head {
    height: 40px;
  }
}
@media (prefers-reduced-motion: reduce) {
  .clwork-forces * {
    animation: none !important;
  }
}
`;var Page=class{constructor(model){this.known={},this.status={working:!1,sentence:"",trouble:!1,chosen:null},this.step=null,this.line="answers",this.why="",this.next=new Map,this.sending=!1,this.root=element("section",{class:"clwork-look clwork-forces","aria-label":"Who pulls and who pushes a sentence"}),this.whole=new Tooltip(this.root,"whole",480);let act=(name,more)=>this.command(name,more);this.title=element("h2",{class:"title"}),this.stops=new Stops(act,model.get("about")?.now??"now"),this.state=element("p",{class:"state",role:"status"}),this.formula=new Formula,this.sentences=new Sentences(act,this.whole),this.pulls=new Pulls(act,this.whole),this.matrix=new Matrix(act),this.shares=new Shares;let control=element("div",{class:"control"},this.title,this.stops.root),stage=element("div",{class:"stage"},control,this.state,this.formula.root,this.sentences.root,this.shares.root,this.pulls.root,this.matrix.root);this.root.prepend(stage),this.whole.on(this.state,()=>this.state.textContent,"below"),this.channel=new Channel(model,{known:()=>this.known,take:news=>this.take(news),lively:()=>this.status.working,refused:why=>this.speak({why}),standing:line=>this.speak({line})})}command(name,more={}){this.next.set(name,more),this.sending||this.send()}async send(){for(this.sending=!0;this.next.size&&!this.closed;){let[[name,more]]=this.next;this.next.delete(name),this.why="",await this.channel.command(name,more)}this.sending=!1}take({status,step,sentence,matrix}){for(let[name,part]of Object.entries({step,sentence,matrix}))part&&(this.known[name]=part.version);status&&(this.status=status),step&&this.takeStep(step),sentence&&this.takeSentence(sentence),matrix&&this.matrix.show(matrix,this.step.texts),this.stops.mark(this.status.chosen,this.status.working),this.speak()}takeStep(step){this.step=step,step.losses&&(step.losses=floats32(step.losses)),write(this.title,`${step.title} · ${step.run}`),attribute(this.title,"title",this.title.textContent),this.stops.fill(step.stops),this.sentences.fill(step.texts,step.losses)}takeSentence(sentence){let{step}=this,question=step.questions[sentence.question];this.formula.show(sentence.formula),this.sentences.mark(sentence.row),this.pulls.show(sentence,step,question),this.shares.show(step.terms,sentence.kinds),this.matrix.offer(question,sentence.row)}speak(change={}){Object.assign(this,change);let said2=STANDING[this.line]||this.why||this.status.sentence,trouble=this.line==="gone"||!!this.why||this.status.trouble;write(this.state,trouble?`⚠ ${said2}`:said2),attribute(this.state,"data-trouble",String(trouble)),attribute(this.root,"aria-busy",String(this.status.working))}paint(){this.matrix.paint()}close(){this.closed=!0,this.channel.close()}},render=({model,el})=>mount(el,style_default,new Page(model)),index_default={render};export{index_default as default};
