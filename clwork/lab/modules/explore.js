// Made by js/build.mjs (make bundle); edit js/src/explore instead. sources 1cb5aa3360d5ac2f84863ae75afe53b11e212ecd297e6531241183be738260ac body 9e6e931a0f1a01fe42136fa3196db4b5a4eb4aa8cb9a21c63442c33495508bfe
var SVG="http://www.w3.org/2000/svg";function dress(made,attributes,children){for(let[name,value2]of Object.entries(attributes))name.startsWith("on")?made.addEventListener(name.slice(2),value2):name==="text"?made.textContent=value2:value2!=null&&value2!==!1&&made.setAttribute(name,value2===!0?"":value2);return made.append(...children),made}var FOCUSED=new Set(["button","canvas","input","select"]),OWN_KEYS={"data-lm-suppress-shortcuts":!0},element=(name,attributes={},...children)=>dress(document.createElement(name),FOCUSED.has(name)?{...OWN_KEYS,...attributes}:attributes,children),drawn=(name,attributes={},...children)=>dress(document.createElementNS(SVG,name),attributes,children);function attribute(node,name,value2){node.getAttribute(name)!==value2&&node.setAttribute(name,value2)}function onResize(node,act){new ResizeObserver(([{contentRect:{width,height}}])=>node.isConnected&&act(Math.round(width),Math.round(height))).observe(node)}function write(node,text){node.textContent!==text&&(node.textContent=text)}var look_default=`/* Colours, type and what all pages share; their roots have the class clwork-look. */
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
`;var LEAST=120,SHARP=3,DRAWN=["fill","fill-opacity","stroke","stroke-width","stroke-dasharray","stroke-opacity","opacity","font","text-anchor","dominant-baseline","paint-order","display","visibility"],sizeOf=node=>node.getBoundingClientRect(),ground=node=>getComputedStyle(node.closest("[data-theme]")).backgroundColor;function svgOf(figure){let copy2=figure.cloneNode(!0),parts=[copy2,...copy2.querySelectorAll("*")];[figure,...figure.querySelectorAll("*")].forEach((part,k)=>{let style=getComputedStyle(part);for(let name of DRAWN)parts[k].style.setProperty(name,style.getPropertyValue(name))});let{width,height}=sizeOf(figure);for(let[name,value2]of Object.entries({width,height}))copy2.setAttribute(name,value2);return copy2.style.background=ground(figure),new XMLSerializer().serializeToString(copy2)}var addressOf=svg=>`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;async function pngOf(figure){let{width,height}=sizeOf(figure),canvas=element("canvas",{width:SHARP*width,height:SHARP*height}),pen=canvas.getContext("2d");pen.fillStyle=ground(figure),pen.fillRect(0,0,canvas.width,canvas.height);let image=figure.localName==="canvas"?figure:element("img",{src:addressOf(svgOf(figure))});return await image.decode?.(),pen.drawImage(image,0,0,canvas.width,canvas.height),canvas.toDataURL()}function csvOf(table){let textOf=cell=>cell.innerText.trim(),texts=table.texts?.()??Array.from(table.rows,row=>Array.from(row.cells,textOf)),plain=text=>/^[=+@\t\r-]/.test(text)&&Number.isNaN(Number(text))?`'${text}`:text,quoted=text=>/[",\n]/.test(text)?`"${text.replaceAll('"','""')}"`:text,lines=texts.map(row=>row.map(text=>quoted(plain(text))).join(","));return`data:text/csv;charset=utf-8,%EF%BB%BF${encodeURIComponent(`${lines.join(`\r
`)}\r
`)}`}var KINDS={png:pngOf,svg:figure=>addressOf(svgOf(figure)),csv:csvOf},kindsOf={canvas:["png"],svg:["png","svg"],table:["csv"]};function offerSaving(root){let box=element("div",{class:"clwork-save",hidden:!0}),save=async(node,kind)=>element("a",{href:await KINDS[kind](node),download:`clwork.${kind}`}).click(),show=({target})=>{if(box.contains(target))return;let node=target.closest("table, canvas, svg:not([aria-hidden])");if(box.hidden=!node||sizeOf(node).width<LEAST,box.hidden)return;box.replaceChildren(...kindsOf[node.localName].map(kind=>element("button",{type:"button",text:kind.toUpperCase(),"aria-label":`save as ${kind.toUpperCase()}`,onclick:()=>save(node,kind)})));let page=sizeOf(root),visible=sizeOf(node.closest(".scroll")??node);box.style.right=`${page.right-visible.right}px`,box.style.bottom=`${page.bottom-visible.bottom}px`};root.addEventListener("pointerover",show),root.addEventListener("focusin",show),root.addEventListener("pointerleave",()=>{box.hidden=!0}),root.append(box)}var SYSTEM=globalThis.matchMedia?.("(prefers-color-scheme: dark)"),WATCHED=["data-jp-theme-light","data-jp-theme-name","class","data-vscode-theme-kind","theme"],LATER=400;function isDark(colour2){let hex2=/^#([0-9a-f]{6})/i.exec(colour2)?.[1],parts=hex2?hex2.match(/../g).map(two=>parseInt(two,16)):(colour2.match(/[\d.]+/g)??[]).map(Number);return parts.length<3?null:.3*parts[0]+.59*parts[1]+.11*parts[2]<128}function ofVsCode(body){let kind=`${body.className} ${body.dataset.vscodeThemeKind??""}`;return/\bvscode-(high-contrast-light|light)\b/.test(kind)?!1:/\bvscode-(high-contrast|dark)\b/.test(kind)?!0:isDark(getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim())}function ofColab(root){let said2=root.getAttribute("theme")??(globalThis.google?.colab?"light":null);return said2===null?null:said2==="dark"}function said(){let lab2=document.body.dataset.jpThemeLight;return lab2!==void 0?lab2==="false":ofVsCode(document.body)??ofColab(document.documentElement)}function onPage(act){let watch=new MutationObserver(act);for(let part of[document.documentElement,document.body])watch.observe(part,{attributes:!0,attributeFilter:WATCHED});return()=>watch.disconnect()}function followTheme(root,show){let parentTheme=null,last="",timer=0,update=again=>{let dark=said()??parentTheme??!!SYSTEM?.matches,theme=dark?"dark":"light",now=`${theme} ${document.body.dataset.jpThemeName??""}`;now===last&&again!==!0||(last=now,document.documentElement.dataset.clworkTheme=theme,root.dataset.theme=theme,show(dark),clearTimeout(timer),again!==!0&&(timer=setTimeout(()=>update(!0),LATER)))},onMessage=event=>{event.source===window.parent&&typeof event.data?.clworkDark=="boolean"&&(parentTheme=event.data.clworkDark,update())},forget=onPage(update);return SYSTEM?.addEventListener("change",update),window.addEventListener("message",onMessage),window.parent!==window&&window.parent.postMessage("clwork: light or dark?","*"),update(),()=>{clearTimeout(timer),forget(),SYSTEM?.removeEventListener("change",update),window.removeEventListener("message",onMessage)}}function mount(el,css,page){let style=element("style",{text:look_default+css});el.append(style,page.root),offerSaving(page.root);let forget=followTheme(page.root,dark=>page.paint(dark));return page.root.page=page,()=>{forget(),page.close?.(),page.root.remove(),style.remove()}}function formatDecimal_default(x){return Math.abs(x=Math.round(x))>=1e21?x.toLocaleString("en").replace(/,/g,""):x.toString(10)}function formatDecimalParts(x,p){if((i=(x=p?x.toExponential(p-1):x.toExponential()).indexOf("e"))<0)return null;var i,coefficient=x.slice(0,i);return[coefficient.length>1?coefficient[0]+coefficient.slice(2):coefficient,+x.slice(i+1)]}function exponent_default(x){return x=formatDecimalParts(Math.abs(x)),x?x[1]:NaN}function formatGroup_default(grouping,thousands){return function(value2,width){for(var i=value2.length,t=[],j=0,g=grouping[0],length=0;i>0&&g>0&&(length+g+1>width&&(g=Math.max(1,width-length)),t.push(value2.substring(i-=g,i+g)),!((length+=g+1)>width));)g=grouping[j=(j+1)%grouping.length];return t.reverse().join(thousands)}}function formatNumerals_default(numerals){return function(value2){return value2.replace(/[0-9]/g,function(i){return numerals[+i]})}}var re=/^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(\.\d+)?(~)?([a-z%])?$/i;function formatSpecifier(specifier){if(!(match=re.exec(specifier)))throw new Error("invalid format: "+specifier);var match;return new FormatSpecifier({fill:match[1],align:match[2],sign:match[3],symbol:match[4],zero:match[5],width:match[6],comma:match[7],precision:match[8]&&match[8].slice(1),trim:match[9],type:match[10]})}formatSpecifier.prototype=FormatSpecifier.prototype;function FormatSpecifier(specifier){this.fill=specifier.fill===void 0?" ":specifier.fill+"",this.align=specifier.align===void 0?">":specifier.align+"",this.sign=specifier.sign===void 0?"-":specifier.sign+"",this.symbol=specifier.symbol===void 0?"":specifier.symbol+"",this.zero=!!specifier.zero,this.width=specifier.width===void 0?void 0:+specifier.width,this.comma=!!specifier.comma,this.precision=specifier.precision===void 0?void 0:+specifier.precision,this.trim=!!specifier.trim,this.type=specifier.type===void 0?"":specifier.type+""}FormatSpecifier.prototype.toString=function(){return this.fill+this.align+this.sign+this.symbol+(this.zero?"0":"")+(this.width===void 0?"":Math.max(1,this.width|0))+(this.comma?",":"")+(this.precision===void 0?"":"."+Math.max(0,this.precision|0))+(this.trim?"~":"")+this.type};function formatTrim_default(s){out:for(var n=s.length,i=1,i0=-1,i1;i<n;++i)switch(s[i]){case".":i0=i1=i;break;case"0":i0===0&&(i0=i),i1=i;break;default:if(!+s[i])break out;i0>0&&(i0=0);break}return i0>0?s.slice(0,i0)+s.slice(i1+1):s}var prefixExponent;function formatPrefixAuto_default(x,p){var d=formatDecimalParts(x,p);if(!d)return x+"";var coefficient=d[0],exponent=d[1],i=exponent-(prefixExponent=Math.max(-8,Math.min(8,Math.floor(exponent/3)))*3)+1,n=coefficient.length;return i===n?coefficient:i>n?coefficient+new Array(i-n+1).join("0"):i>0?coefficient.slice(0,i)+"."+coefficient.slice(i):"0."+new Array(1-i).join("0")+formatDecimalParts(x,Math.max(0,p+i-1))[0]}function formatRounded_default(x,p){var d=formatDecimalParts(x,p);if(!d)return x+"";var coefficient=d[0],exponent=d[1];return exponent<0?"0."+new Array(-exponent).join("0")+coefficient:coefficient.length>exponent+1?coefficient.slice(0,exponent+1)+"."+coefficient.slice(exponent+1):coefficient+new Array(exponent-coefficient.length+2).join("0")}var formatTypes_default={"%":(x,p)=>(x*100).toFixed(p),b:x=>Math.round(x).toString(2),c:x=>x+"",d:formatDecimal_default,e:(x,p)=>x.toExponential(p),f:(x,p)=>x.toFixed(p),g:(x,p)=>x.toPrecision(p),o:x=>Math.round(x).toString(8),p:(x,p)=>formatRounded_default(x*100,p),r:formatRounded_default,s:formatPrefixAuto_default,X:x=>Math.round(x).toString(16).toUpperCase(),x:x=>Math.round(x).toString(16)};function identity_default(x){return x}var map=Array.prototype.map,prefixes=["y","z","a","f","p","n","µ","m","","k","M","G","T","P","E","Z","Y"];function locale_default(locale2){var group=locale2.grouping===void 0||locale2.thousands===void 0?identity_default:formatGroup_default(map.call(locale2.grouping,Number),locale2.thousands+""),currencyPrefix=locale2.currency===void 0?"":locale2.currency[0]+"",currencySuffix=locale2.currency===void 0?"":locale2.currency[1]+"",decimal=locale2.decimal===void 0?".":locale2.decimal+"",numerals=locale2.numerals===void 0?identity_default:formatNumerals_default(map.call(locale2.numerals,String)),percent=locale2.percent===void 0?"%":locale2.percent+"",minus=locale2.minus===void 0?"−":locale2.minus+"",nan=locale2.nan===void 0?"NaN":locale2.nan+"";function newFormat(specifier){specifier=formatSpecifier(specifier);var fill=specifier.fill,align=specifier.align,sign=specifier.sign,symbol=specifier.symbol,zero3=specifier.zero,width=specifier.width,comma=specifier.comma,precision=specifier.precision,trim=specifier.trim,type=specifier.type;type==="n"?(comma=!0,type="g"):formatTypes_default[type]||(precision===void 0&&(precision=12),trim=!0,type="g"),(zero3||fill==="0"&&align==="=")&&(zero3=!0,fill="0",align="=");var prefix=symbol==="$"?currencyPrefix:symbol==="#"&&/[boxX]/.test(type)?"0"+type.toLowerCase():"",suffix=symbol==="$"?currencySuffix:/[%p]/.test(type)?percent:"",formatType=formatTypes_default[type],maybeSuffix=/[defgprs%]/.test(type);precision=precision===void 0?6:/[gprs]/.test(type)?Math.max(1,Math.min(21,precision)):Math.max(0,Math.min(20,precision));function format2(value2){var valuePrefix=prefix,valueSuffix=suffix,i,n,c;if(type==="c")valueSuffix=formatType(value2)+valueSuffix,value2="";else{value2=+value2;var valueNegative=value2<0||1/value2<0;if(value2=isNaN(value2)?nan:formatType(Math.abs(value2),precision),trim&&(value2=formatTrim_default(value2)),valueNegative&&+value2==0&&sign!=="+"&&(valueNegative=!1),valuePrefix=(valueNegative?sign==="("?sign:minus:sign==="-"||sign==="("?"":sign)+valuePrefix,valueSuffix=(type==="s"?prefixes[8+prefixExponent/3]:"")+valueSuffix+(valueNegative&&sign==="("?")":""),maybeSuffix){for(i=-1,n=value2.length;++i<n;)if(c=value2.charCodeAt(i),48>c||c>57){valueSuffix=(c===46?decimal+value2.slice(i+1):value2.slice(i))+valueSuffix,value2=value2.slice(0,i);break}}}comma&&!zero3&&(value2=group(value2,1/0));var length=valuePrefix.length+value2.length+valueSuffix.length,padding=length<width?new Array(width-length+1).join(fill):"";switch(comma&&zero3&&(value2=group(padding+value2,padding.length?width-valueSuffix.length:1/0),padding=""),align){case"<":value2=valuePrefix+value2+valueSuffix+padding;break;case"=":value2=valuePrefix+padding+value2+valueSuffix;break;case"^":value2=padding.slice(0,length=padding.length>>1)+valuePrefix+value2+valueSuffix+padding.slice(length);break;default:value2=padding+valuePrefix+value2+valueSuffix;break}return numerals(value2)}return format2.toString=function(){return specifier+""},format2}function formatPrefix2(specifier,value2){var f=newFormat((specifier=formatSpecifier(specifier),specifier.type="f",specifier)),e=Math.max(-8,Math.min(8,Math.floor(exponent_default(value2)/3)))*3,k=Math.pow(10,-e),prefix=prefixes[8+e/3];return function(value3){return f(k*value3)+prefix}}return{format:newFormat,formatPrefix:formatPrefix2}}var locale,format,formatPrefix;defaultLocale({thousands:",",grouping:[3],currency:["$",""]});function defaultLocale(definition){return locale=locale_default(definition),format=locale.format,formatPrefix=locale.formatPrefix,locale}function precisionFixed_default(step){return Math.max(0,-exponent_default(Math.abs(step)))}function precisionPrefix_default(step,value2){return Math.max(0,Math.max(-8,Math.min(8,Math.floor(exponent_default(value2)/3)))*3-exponent_default(Math.abs(step)))}function precisionRound_default(step,max){return step=Math.abs(step),max=Math.abs(max)-step,Math.max(0,exponent_default(max)-exponent_default(step))+1}function ascending(a,b){return a==null||b==null?NaN:a<b?-1:a>b?1:a>=b?0:NaN}function descending(a,b){return a==null||b==null?NaN:b<a?-1:b>a?1:b>=a?0:NaN}function bisector(f){let compare1,compare2,delta;f.length!==2?(compare1=ascending,compare2=(d,x)=>ascending(f(d),x),delta=(d,x)=>f(d)-x):(compare1=f===ascending||f===descending?f:zero,compare2=f,delta=f);function left(a,x,lo=0,hi=a.length){if(lo<hi){if(compare1(x,x)!==0)return hi;do{let mid=lo+hi>>>1;compare2(a[mid],x)<0?lo=mid+1:hi=mid}while(lo<hi)}return lo}function right(a,x,lo=0,hi=a.length){if(lo<hi){if(compare1(x,x)!==0)return hi;do{let mid=lo+hi>>>1;compare2(a[mid],x)<=0?lo=mid+1:hi=mid}while(lo<hi)}return lo}function center(a,x,lo=0,hi=a.length){let i=left(a,x,lo,hi-1);return i>lo&&delta(a[i-1],x)>-delta(a[i],x)?i-1:i}return{left,center,right}}function zero(){return 0}function number(x){return x===null?NaN:+x}var ascendingBisect=bisector(ascending),bisectRight=ascendingBisect.right,bisectLeft=ascendingBisect.left,bisectCenter=bisector(number).center;var blur2=Blur2(blurf),blurImage=Blur2(blurfImage);function Blur2(blur){return function(data,rx,ry=rx){if(!((rx=+rx)>=0))throw new RangeError("invalid rx");if(!((ry=+ry)>=0))throw new RangeError("invalid ry");let{data:values,width,height}=data;if(!((width=Math.floor(width))>=0))throw new RangeError("invalid width");if(!((height=Math.floor(height!==void 0?height:values.length/width))>=0))throw new RangeError("invalid height");if(!width||!height||!rx&&!ry)return data;let blurx=rx&&blur(rx),blury=ry&&blur(ry),temp=values.slice();return blurx&&blury?(blurh(blurx,temp,values,width,height),blurh(blurx,values,temp,width,height),blurh(blurx,temp,values,width,height),blurv(blury,values,temp,width,height),blurv(blury,temp,values,width,height),blurv(blury,values,temp,width,height)):blurx?(blurh(blurx,values,temp,width,height),blurh(blurx,temp,values,width,height),blurh(blurx,values,temp,width,height)):blury&&(blurv(blury,values,temp,width,height),blurv(blury,temp,values,width,height),blurv(blury,values,temp,width,height)),data}}function blurh(blur,T,S,w,h){for(let y=0,n=w*h;y<n;)blur(T,S,y,y+=w,1)}function blurv(blur,T,S,w,h){for(let x=0,n=w*h;x<w;++x)blur(T,S,x,x+n,w)}function blurfImage(radius){let blur=blurf(radius);return(T,S,start,stop,step)=>{start<<=2,stop<<=2,step<<=2,blur(T,S,start+0,stop+0,step),blur(T,S,start+1,stop+1,step),blur(T,S,start+2,stop+2,step),blur(T,S,start+3,stop+3,step)}}function blurf(radius){let radius0=Math.floor(radius);if(radius0===radius)return bluri(radius);let t=radius-radius0,w=2*radius+1;return(T,S,start,stop,step)=>{if(!((stop-=step)>=start))return;let sum=radius0*S[start],s0=step*radius0,s1=s0+step;for(let i=start,j=start+s0;i<j;i+=step)sum+=S[Math.min(stop,i)];for(let i=start,j=stop;i<=j;i+=step)sum+=S[Math.min(stop,i+s0)],T[i]=(sum+t*(S[Math.max(start,i-s1)]+S[Math.min(stop,i+s1)]))/w,sum-=S[Math.max(start,i-s0)]}}function bluri(radius){let w=2*radius+1;return(T,S,start,stop,step)=>{if(!((stop-=step)>=start))return;let sum=radius*S[start],s=step*radius;for(let i=start,j=start+s;i<j;i+=step)sum+=S[Math.min(stop,i)];for(let i=start,j=stop;i<=j;i+=step)sum+=S[Math.min(stop,i+s)],T[i]=sum/w,sum-=S[Math.max(start,i-s)]}}var array=Array.prototype,slice=array.slice;var e10=Math.sqrt(50),e5=Math.sqrt(10),e2=Math.sqrt(2);function tickSpec(start,stop,count){let step=(stop-start)/Math.max(0,count),power=Math.floor(Math.log10(step)),error=step/Math.pow(10,power),factor=error>=e10?10:error>=e5?5:error>=e2?2:1,i1,i2,inc;return power<0?(inc=Math.pow(10,-power)/factor,i1=Math.round(start*inc),i2=Math.round(stop*inc),i1/inc<start&&++i1,i2/inc>stop&&--i2,inc=-inc):(inc=Math.pow(10,power)*factor,i1=Math.round(start/inc),i2=Math.round(stop/inc),i1*inc<start&&++i1,i2*inc>stop&&--i2),i2<i1&&.5<=count&&count<2?tickSpec(start,stop,count*2):[i1,i2,inc]}function ticks(start,stop,count){if(stop=+stop,start=+start,count=+count,!(count>0))return[];if(start===stop)return[start];let reverse=stop<start,[i1,i2,inc]=reverse?tickSpec(stop,start,count):tickSpec(start,stop,count);if(!(i2>=i1))return[];let n=i2-i1+1,ticks2=new Array(n);if(reverse)if(inc<0)for(let i=0;i<n;++i)ticks2[i]=(i2-i)/-inc;else for(let i=0;i<n;++i)ticks2[i]=(i2-i)*inc;else if(inc<0)for(let i=0;i<n;++i)ticks2[i]=(i1+i)/-inc;else for(let i=0;i<n;++i)ticks2[i]=(i1+i)*inc;return ticks2}function tickIncrement(start,stop,count){return stop=+stop,start=+start,count=+count,tickSpec(start,stop,count)[2]}function tickStep(start,stop,count){stop=+stop,start=+start,count=+count;let reverse=stop<start,inc=reverse?tickIncrement(stop,start,count):tickIncrement(start,stop,count);return(reverse?-1:1)*(inc<0?1/-inc:inc)}var shuffle=shuffler(Math.random);function shuffler(random){return function(array2,i0=0,i1=array2.length){let m=i1-(i0=+i0);for(;m;){let i=random()*m--|0,t=array2[m+i0];array2[m+i0]=array2[i+i0],array2[i+i0]=t}return array2}}function initRange(domain,range2){switch(arguments.length){case 0:break;case 1:this.range(domain);break;default:this.range(range2).domain(domain);break}return this}function define(constructor,factory,prototype){constructor.prototype=factory.prototype=prototype,prototype.constructor=constructor}function extend(parent,definition){var prototype=Object.create(parent.prototype);for(var key in definition)prototype[key]=definition[key];return prototype}function Color(){}var darker=.7,brighter=1/darker,reI="\\s*([+-]?\\d+)\\s*",reN="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",reP="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*",reHex=/^#([0-9a-f]{3,8})$/,reRgbInteger=new RegExp(`^rgb\\(${reI},${reI},${reI}\\)$`),reRgbPercent=new RegExp(`^rgb\\(${reP},${reP},${reP}\\)$`),reRgbaInteger=new RegExp(`^rgba\\(${reI},${reI},${reI},${reN}\\)$`),reRgbaPercent=new RegExp(`^rgba\\(${reP},${reP},${reP},${reN}\\)$`),reHslPercent=new RegExp(`^hsl\\(${reN},${reP},${reP}\\)$`),reHslaPercent=new RegExp(`^hsla\\(${reN},${reP},${reP},${reN}\\)$`),named={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074};define(Color,color,{copy(channels){return Object.assign(new this.constructor,this,channels)},displayable(){return this.rgb().displayable()},hex:color_formatHex,formatHex:color_formatHex,formatHex8:color_formatHex8,formatHsl:color_formatHsl,formatRgb:color_formatRgb,toString:color_formatRgb});function color_formatHex(){return this.rgb().formatHex()}function color_formatHex8(){return this.rgb().formatHex8()}function color_formatHsl(){return hslConvert(this).formatHsl()}function color_formatRgb(){return this.rgb().formatRgb()}function color(format2){var m,l;return format2=(format2+"").trim().toLowerCase(),(m=reHex.exec(format2))?(l=m[1].length,m=parseInt(m[1],16),l===6?rgbn(m):l===3?new Rgb(m>>8&15|m>>4&240,m>>4&15|m&240,(m&15)<<4|m&15,1):l===8?rgba(m>>24&255,m>>16&255,m>>8&255,(m&255)/255):l===4?rgba(m>>12&15|m>>8&240,m>>8&15|m>>4&240,m>>4&15|m&240,((m&15)<<4|m&15)/255):null):(m=reRgbInteger.exec(format2))?new Rgb(m[1],m[2],m[3],1):(m=reRgbPercent.exec(format2))?new Rgb(m[1]*255/100,m[2]*255/100,m[3]*255/100,1):(m=reRgbaInteger.exec(format2))?rgba(m[1],m[2],m[3],m[4]):(m=reRgbaPercent.exec(format2))?rgba(m[1]*255/100,m[2]*255/100,m[3]*255/100,m[4]):(m=reHslPercent.exec(format2))?hsla(m[1],m[2]/100,m[3]/100,1):(m=reHslaPercent.exec(format2))?hsla(m[1],m[2]/100,m[3]/100,m[4]):named.hasOwnProperty(format2)?rgbn(named[format2]):format2==="transparent"?new Rgb(NaN,NaN,NaN,0):null}function rgbn(n){return new Rgb(n>>16&255,n>>8&255,n&255,1)}function rgba(r,g,b,a){return a<=0&&(r=g=b=NaN),new Rgb(r,g,b,a)}function rgbConvert(o){return o instanceof Color||(o=color(o)),o?(o=o.rgb(),new Rgb(o.r,o.g,o.b,o.opacity)):new Rgb}function rgb(r,g,b,opacity){return arguments.length===1?rgbConvert(r):new Rgb(r,g,b,opacity??1)}function Rgb(r,g,b,opacity){this.r=+r,this.g=+g,this.b=+b,this.opacity=+opacity}define(Rgb,rgb,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Rgb(this.r*k,this.g*k,this.b*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Rgb(this.r*k,this.g*k,this.b*k,this.opacity)},rgb(){return this},clamp(){return new Rgb(clampi(this.r),clampi(this.g),clampi(this.b),clampa(this.opacity))},displayable(){return-.5<=this.r&&this.r<255.5&&-.5<=this.g&&this.g<255.5&&-.5<=this.b&&this.b<255.5&&0<=this.opacity&&this.opacity<=1},hex:rgb_formatHex,formatHex:rgb_formatHex,formatHex8:rgb_formatHex8,formatRgb:rgb_formatRgb,toString:rgb_formatRgb}));function rgb_formatHex(){return`#${hex(this.r)}${hex(this.g)}${hex(this.b)}`}function rgb_formatHex8(){return`#${hex(this.r)}${hex(this.g)}${hex(this.b)}${hex((isNaN(this.opacity)?1:this.opacity)*255)}`}function rgb_formatRgb(){let a=clampa(this.opacity);return`${a===1?"rgb(":"rgba("}${clampi(this.r)}, ${clampi(this.g)}, ${clampi(this.b)}${a===1?")":`, ${a})`}`}function clampa(opacity){return isNaN(opacity)?1:Math.max(0,Math.min(1,opacity))}function clampi(value2){return Math.max(0,Math.min(255,Math.round(value2)||0))}function hex(value2){return value2=clampi(value2),(value2<16?"0":"")+value2.toString(16)}function hsla(h,s,l,a){return a<=0?h=s=l=NaN:l<=0||l>=1?h=s=NaN:s<=0&&(h=NaN),new Hsl(h,s,l,a)}function hslConvert(o){if(o instanceof Hsl)return new Hsl(o.h,o.s,o.l,o.opacity);if(o instanceof Color||(o=color(o)),!o)return new Hsl;if(o instanceof Hsl)return o;o=o.rgb();var r=o.r/255,g=o.g/255,b=o.b/255,min=Math.min(r,g,b),max=Math.max(r,g,b),h=NaN,s=max-min,l=(max+min)/2;return s?(r===max?h=(g-b)/s+(g<b)*6:g===max?h=(b-r)/s+2:h=(r-g)/s+4,s/=l<.5?max+min:2-max-min,h*=60):s=l>0&&l<1?0:h,new Hsl(h,s,l,o.opacity)}function hsl(h,s,l,opacity){return arguments.length===1?hslConvert(h):new Hsl(h,s,l,opacity??1)}function Hsl(h,s,l,opacity){this.h=+h,this.s=+s,this.l=+l,this.opacity=+opacity}define(Hsl,hsl,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Hsl(this.h,this.s,this.l*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Hsl(this.h,this.s,this.l*k,this.opacity)},rgb(){var h=this.h%360+(this.h<0)*360,s=isNaN(h)||isNaN(this.s)?0:this.s,l=this.l,m2=l+(l<.5?l:1-l)*s,m1=2*l-m2;return new Rgb(hsl2rgb(h>=240?h-240:h+120,m1,m2),hsl2rgb(h,m1,m2),hsl2rgb(h<120?h+240:h-120,m1,m2),this.opacity)},clamp(){return new Hsl(clamph(this.h),clampt(this.s),clampt(this.l),clampa(this.opacity))},displayable(){return(0<=this.s&&this.s<=1||isNaN(this.s))&&0<=this.l&&this.l<=1&&0<=this.opacity&&this.opacity<=1},formatHsl(){let a=clampa(this.opacity);return`${a===1?"hsl(":"hsla("}${clamph(this.h)}, ${clampt(this.s)*100}%, ${clampt(this.l)*100}%${a===1?")":`, ${a})`}`}}));function clamph(value2){return value2=(value2||0)%360,value2<0?value2+360:value2}function clampt(value2){return Math.max(0,Math.min(1,value2||0))}function hsl2rgb(h,m1,m2){return(h<60?m1+(m2-m1)*h/60:h<180?m2:h<240?m1+(m2-m1)*(240-h)/60:m1)*255}var radians=Math.PI/180,degrees=180/Math.PI,K=18,Xn=.96422,Yn=1,Zn=.82521,t0=4/29,t1=6/29,t2=3*t1*t1,t3=t1*t1*t1;function labConvert(o){if(o instanceof Lab)return new Lab(o.l,o.a,o.b,o.opacity);if(o instanceof Hcl)return hcl2lab(o);o instanceof Rgb||(o=rgbConvert(o));var r=rgb2lrgb(o.r),g=rgb2lrgb(o.g),b=rgb2lrgb(o.b),y=xyz2lab((.2225045*r+.7168786*g+.0606169*b)/Yn),x,z;return r===g&&g===b?x=z=y:(x=xyz2lab((.4360747*r+.3850649*g+.1430804*b)/Xn),z=xyz2lab((.0139322*r+.0971045*g+.7141733*b)/Zn)),new Lab(116*y-16,500*(x-y),200*(y-z),o.opacity)}function lab(l,a,b,opacity){return arguments.length===1?labConvert(l):new Lab(l,a,b,opacity??1)}function Lab(l,a,b,opacity){this.l=+l,this.a=+a,this.b=+b,this.opacity=+opacity}define(Lab,lab,extend(Color,{brighter(k){return new Lab(this.l+K*(k??1),this.a,this.b,this.opacity)},darker(k){return new Lab(this.l-K*(k??1),this.a,this.b,this.opacity)},rgb(){var y=(this.l+16)/116,x=isNaN(this.a)?y:y+this.a/500,z=isNaN(this.b)?y:y-this.b/200;return x=Xn*lab2xyz(x),y=Yn*lab2xyz(y),z=Zn*lab2xyz(z),new Rgb(lrgb2rgb(3.1338561*x-1.6168667*y-.4906146*z),lrgb2rgb(-.9787684*x+1.9161415*y+.033454*z),lrgb2rgb(.0719453*x-.2289914*y+1.4052427*z),this.opacity)}}));function xyz2lab(t){return t>t3?Math.pow(t,1/3):t/t2+t0}function lab2xyz(t){return t>t1?t*t*t:t2*(t-t0)}function lrgb2rgb(x){return 255*(x<=.0031308?12.92*x:1.055*Math.pow(x,1/2.4)-.055)}function rgb2lrgb(x){return(x/=255)<=.04045?x/12.92:Math.pow((x+.055)/1.055,2.4)}function hclConvert(o){if(o instanceof Hcl)return new Hcl(o.h,o.c,o.l,o.opacity);if(o instanceof Lab||(o=labConvert(o)),o.a===0&&o.b===0)return new Hcl(NaN,0<o.l&&o.l<100?0:NaN,o.l,o.opacity);var h=Math.atan2(o.b,o.a)*degrees;return new Hcl(h<0?h+360:h,Math.sqrt(o.a*o.a+o.b*o.b),o.l,o.opacity)}function hcl(h,c,l,opacity){return arguments.length===1?hclConvert(h):new Hcl(h,c,l,opacity??1)}function Hcl(h,c,l,opacity){this.h=+h,this.c=+c,this.l=+l,this.opacity=+opacity}function hcl2lab(o){if(isNaN(o.h))return new Lab(o.l,0,0,o.opacity);var h=o.h*radians;return new Lab(o.l,Math.cos(h)*o.c,Math.sin(h)*o.c,o.opacity)}define(Hcl,hcl,extend(Color,{brighter(k){return new Hcl(this.h,this.c,this.l+K*(k??1),this.opacity)},darker(k){return new Hcl(this.h,this.c,this.l-K*(k??1),this.opacity)},rgb(){return hcl2lab(this).rgb()}}));var A=-.14861,B=1.78277,C=-.29227,D=-.90649,E=1.97294,ED=E*D,EB=E*B,BC_DA=B*C-D*A;function cubehelixConvert(o){if(o instanceof Cubehelix)return new Cubehelix(o.h,o.s,o.l,o.opacity);o instanceof Rgb||(o=rgbConvert(o));var r=o.r/255,g=o.g/255,b=o.b/255,l=(BC_DA*b+ED*r-EB*g)/(BC_DA+ED-EB),bl=b-l,k=(E*(g-l)-C*bl)/D,s=Math.sqrt(k*k+bl*bl)/(E*l*(1-l)),h=s?Math.atan2(k,bl)*degrees-120:NaN;return new Cubehelix(h<0?h+360:h,s,l,o.opacity)}function cubehelix(h,s,l,opacity){return arguments.length===1?cubehelixConvert(h):new Cubehelix(h,s,l,opacity??1)}function Cubehelix(h,s,l,opacity){this.h=+h,this.s=+s,this.l=+l,this.opacity=+opacity}define(Cubehelix,cubehelix,extend(Color,{brighter(k){return k=k==null?brighter:Math.pow(brighter,k),new Cubehelix(this.h,this.s,this.l*k,this.opacity)},darker(k){return k=k==null?darker:Math.pow(darker,k),new Cubehelix(this.h,this.s,this.l*k,this.opacity)},rgb(){var h=isNaN(this.h)?0:(this.h+120)*radians,l=+this.l,a=isNaN(this.s)?0:this.s*l*(1-l),cosh2=Math.cos(h),sinh2=Math.sin(h);return new Rgb(255*(l+a*(A*cosh2+B*sinh2)),255*(l+a*(C*cosh2+D*sinh2)),255*(l+a*(E*cosh2)),this.opacity)}}));function basis(t12,v0,v1,v2,v3){var t22=t12*t12,t32=t22*t12;return((1-3*t12+3*t22-t32)*v0+(4-6*t22+3*t32)*v1+(1+3*t12+3*t22-3*t32)*v2+t32*v3)/6}function basis$1(values){var n=values.length-1;return function(t){var i=t<=0?t=0:t>=1?(t=1,n-1):Math.floor(t*n),v1=values[i],v2=values[i+1],v0=i>0?values[i-1]:2*v1-v2,v3=i<n-1?values[i+2]:2*v2-v1;return basis((t-i/n)*n,v0,v1,v2,v3)}}function basisClosed(values){var n=values.length;return function(t){var i=Math.floor(((t%=1)<0?++t:t)*n),v0=values[(i+n-1)%n],v1=values[i%n],v2=values[(i+1)%n],v3=values[(i+2)%n];return basis((t-i/n)*n,v0,v1,v2,v3)}}var constant=x=>()=>x;function linear(a,d){return function(t){return a+t*d}}function exponential(a,b,y){return a=Math.pow(a,y),b=Math.pow(b,y)-a,y=1/y,function(t){return Math.pow(a+t*b,y)}}function hue$1(a,b){var d=b-a;return d?linear(a,d>180||d<-180?d-360*Math.round(d/360):d):constant(isNaN(a)?b:a)}function gamma(y){return(y=+y)==1?nogamma:function(a,b){return b-a?exponential(a,b,y):constant(isNaN(a)?b:a)}}function nogamma(a,b){var d=b-a;return d?linear(a,d):constant(isNaN(a)?b:a)}var rgb2=(function rgbGamma(y){var color2=gamma(y);function rgb3(start,end){var r=color2((start=rgb(start)).r,(end=rgb(end)).r),g=color2(start.g,end.g),b=color2(start.b,end.b),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.r=r(t),start.g=g(t),start.b=b(t),start.opacity=opacity(t),start+""}}return rgb3.gamma=rgbGamma,rgb3})(1);function rgbSpline(spline){return function(colors){var n=colors.length,r=new Array(n),g=new Array(n),b=new Array(n),i,color2;for(i=0;i<n;++i)color2=rgb(colors[i]),r[i]=color2.r||0,g[i]=color2.g||0,b[i]=color2.b||0;return r=spline(r),g=spline(g),b=spline(b),color2.opacity=1,function(t){return color2.r=r(t),color2.g=g(t),color2.b=b(t),color2+""}}}var rgbBasis=rgbSpline(basis$1),rgbBasisClosed=rgbSpline(basisClosed);function numberArray(a,b){b||(b=[]);var n=a?Math.min(b.length,a.length):0,c=b.slice(),i;return function(t){for(i=0;i<n;++i)c[i]=a[i]*(1-t)+b[i]*t;return c}}function isNumberArray(x){return ArrayBuffer.isView(x)&&!(x instanceof DataView)}function genericArray(a,b){var nb=b?b.length:0,na=a?Math.min(nb,a.length):0,x=new Array(na),c=new Array(nb),i;for(i=0;i<na;++i)x[i]=value(a[i],b[i]);for(;i<nb;++i)c[i]=b[i];return function(t){for(i=0;i<na;++i)c[i]=x[i](t);return c}}function date(a,b){var d=new Date;return a=+a,b=+b,function(t){return d.setTime(a*(1-t)+b*t),d}}function number2(a,b){return a=+a,b=+b,function(t){return a*(1-t)+b*t}}function object(a,b){var i={},c={},k;(a===null||typeof a!="object")&&(a={}),(b===null||typeof b!="object")&&(b={});for(k in b)k in a?i[k]=value(a[k],b[k]):c[k]=b[k];return function(t){for(k in i)c[k]=i[k](t);return c}}var reA=/[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g,reB=new RegExp(reA.source,"g");function zero2(b){return function(){return b}}function one(b){return function(t){return b(t)+""}}function string(a,b){var bi=reA.lastIndex=reB.lastIndex=0,am,bm,bs,i=-1,s=[],q=[];for(a=a+"",b=b+"";(am=reA.exec(a))&&(bm=reB.exec(b));)(bs=bm.index)>bi&&(bs=b.slice(bi,bs),s[i]?s[i]+=bs:s[++i]=bs),(am=am[0])===(bm=bm[0])?s[i]?s[i]+=bm:s[++i]=bm:(s[++i]=null,q.push({i,x:number2(am,bm)})),bi=reB.lastIndex;return bi<b.length&&(bs=b.slice(bi),s[i]?s[i]+=bs:s[++i]=bs),s.length<2?q[0]?one(q[0].x):zero2(b):(b=q.length,function(t){for(var i2=0,o;i2<b;++i2)s[(o=q[i2]).i]=o.x(t);return s.join("")})}function value(a,b){var t=typeof b,c;return b==null||t==="boolean"?constant(b):(t==="number"?number2:t==="string"?(c=color(b))?(b=c,rgb2):string:b instanceof color?rgb2:b instanceof Date?date:isNumberArray(b)?numberArray:Array.isArray(b)?genericArray:typeof b.valueOf!="function"&&typeof b.toString!="function"||isNaN(b)?object:number2)(a,b)}function round(a,b){return a=+a,b=+b,function(t){return Math.round(a*(1-t)+b*t)}}var degrees2=180/Math.PI,identity={translateX:0,translateY:0,rotate:0,skewX:0,scaleX:1,scaleY:1};function decompose(a,b,c,d,e,f){var scaleX,scaleY,skewX;return(scaleX=Math.sqrt(a*a+b*b))&&(a/=scaleX,b/=scaleX),(skewX=a*c+b*d)&&(c-=a*skewX,d-=b*skewX),(scaleY=Math.sqrt(c*c+d*d))&&(c/=scaleY,d/=scaleY,skewX/=scaleY),a*d<b*c&&(a=-a,b=-b,skewX=-skewX,scaleX=-scaleX),{translateX:e,translateY:f,rotate:Math.atan2(b,a)*degrees2,skewX:Math.atan(skewX)*degrees2,scaleX,scaleY}}var svgNode;function parseCss(value2){let m=new(typeof DOMMatrix=="function"?DOMMatrix:WebKitCSSMatrix)(value2+"");return m.isIdentity?identity:decompose(m.a,m.b,m.c,m.d,m.e,m.f)}function parseSvg(value2){return value2==null||(svgNode||(svgNode=document.createElementNS("http://www.w3.org/2000/svg","g")),svgNode.setAttribute("transform",value2),!(value2=svgNode.transform.baseVal.consolidate()))?identity:(value2=value2.matrix,decompose(value2.a,value2.b,value2.c,value2.d,value2.e,value2.f))}function interpolateTransform(parse,pxComma,pxParen,degParen){function pop(s){return s.length?s.pop()+" ":""}function translate(xa,ya,xb,yb,s,q){if(xa!==xb||ya!==yb){var i=s.push("translate(",null,pxComma,null,pxParen);q.push({i:i-4,x:number2(xa,xb)},{i:i-2,x:number2(ya,yb)})}else(xb||yb)&&s.push("translate("+xb+pxComma+yb+pxParen)}function rotate(a,b,s,q){a!==b?(a-b>180?b+=360:b-a>180&&(a+=360),q.push({i:s.push(pop(s)+"rotate(",null,degParen)-2,x:number2(a,b)})):b&&s.push(pop(s)+"rotate("+b+degParen)}function skewX(a,b,s,q){a!==b?q.push({i:s.push(pop(s)+"skewX(",null,degParen)-2,x:number2(a,b)}):b&&s.push(pop(s)+"skewX("+b+degParen)}function scale(xa,ya,xb,yb,s,q){if(xa!==xb||ya!==yb){var i=s.push(pop(s)+"scale(",null,",",null,")");q.push({i:i-4,x:number2(xa,xb)},{i:i-2,x:number2(ya,yb)})}else(xb!==1||yb!==1)&&s.push(pop(s)+"scale("+xb+","+yb+")")}return function(a,b){var s=[],q=[];return a=parse(a),b=parse(b),translate(a.translateX,a.translateY,b.translateX,b.translateY,s,q),rotate(a.rotate,b.rotate,s,q),skewX(a.skewX,b.skewX,s,q),scale(a.scaleX,a.scaleY,b.scaleX,b.scaleY,s,q),a=b=null,function(t){for(var i=-1,n=q.length,o;++i<n;)s[(o=q[i]).i]=o.x(t);return s.join("")}}}var interpolateTransformCss=interpolateTransform(parseCss,"px, ","px)","deg)"),interpolateTransformSvg=interpolateTransform(parseSvg,", ",")",")"),epsilon2=1e-12;function cosh(x){return((x=Math.exp(x))+1/x)/2}function sinh(x){return((x=Math.exp(x))-1/x)/2}function tanh(x){return((x=Math.exp(2*x))-1)/(x+1)}var zoom=(function zoomRho(rho,rho2,rho4){function zoom2(p0,p1){var ux0=p0[0],uy0=p0[1],w0=p0[2],ux1=p1[0],uy1=p1[1],w1=p1[2],dx=ux1-ux0,dy=uy1-uy0,d2=dx*dx+dy*dy,i,S;if(d2<epsilon2)S=Math.log(w1/w0)/rho,i=function(t){return[ux0+t*dx,uy0+t*dy,w0*Math.exp(rho*t*S)]};else{var d1=Math.sqrt(d2),b0=(w1*w1-w0*w0+rho4*d2)/(2*w0*rho2*d1),b1=(w1*w1-w0*w0-rho4*d2)/(2*w1*rho2*d1),r0=Math.log(Math.sqrt(b0*b0+1)-b0),r1=Math.log(Math.sqrt(b1*b1+1)-b1);S=(r1-r0)/rho,i=function(t){var s=t*S,coshr0=cosh(r0),u=w0/(rho2*d1)*(coshr0*tanh(rho*s+r0)-sinh(r0));return[ux0+u*dx,uy0+u*dy,w0*coshr0/cosh(rho*s+r0)]}}return i.duration=Math.abs(S)*1e3*rho/Math.SQRT2,i}return zoom2.rho=function(_){var _1=Math.max(.001,+_),_2=_1*_1,_4=_2*_2;return zoomRho(_1,_2,_4)},zoom2})(Math.SQRT2,2,4);function hsl2(hue){return function(start,end){var h=hue((start=hsl(start)).h,(end=hsl(end)).h),s=nogamma(start.s,end.s),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.s=s(t),start.l=l(t),start.opacity=opacity(t),start+""}}}var hsl_default=hsl2(hue$1),hslLong=hsl2(nogamma);function hcl2(hue){return function(start,end){var h=hue((start=hcl(start)).h,(end=hcl(end)).h),c=nogamma(start.c,end.c),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.c=c(t),start.l=l(t),start.opacity=opacity(t),start+""}}}var hcl_default=hcl2(hue$1),hclLong=hcl2(nogamma);function cubehelix2(hue){return(function cubehelixGamma(y){y=+y;function cubehelix3(start,end){var h=hue((start=cubehelix(start)).h,(end=cubehelix(end)).h),s=nogamma(start.s,end.s),l=nogamma(start.l,end.l),opacity=nogamma(start.opacity,end.opacity);return function(t){return start.h=h(t),start.s=s(t),start.l=l(Math.pow(t,y)),start.opacity=opacity(t),start+""}}return cubehelix3.gamma=cubehelixGamma,cubehelix3})(1)}var cubehelix_default=cubehelix2(hue$1),cubehelixLong=cubehelix2(nogamma);function constants(x){return function(){return x}}function number3(x){return+x}var unit=[0,1];function identity2(x){return x}function normalize(a,b){return(b-=a=+a)?function(x){return(x-a)/b}:constants(isNaN(b)?NaN:.5)}function clamper(a,b){var t;return a>b&&(t=a,a=b,b=t),function(x){return Math.max(a,Math.min(b,x))}}function bimap(domain,range2,interpolate){var d0=domain[0],d1=domain[1],r0=range2[0],r1=range2[1];return d1<d0?(d0=normalize(d1,d0),r0=interpolate(r1,r0)):(d0=normalize(d0,d1),r0=interpolate(r0,r1)),function(x){return r0(d0(x))}}function polymap(domain,range2,interpolate){var j=Math.min(domain.length,range2.length)-1,d=new Array(j),r=new Array(j),i=-1;for(domain[j]<domain[0]&&(domain=domain.slice().reverse(),range2=range2.slice().reverse());++i<j;)d[i]=normalize(domain[i],domain[i+1]),r[i]=interpolate(range2[i],range2[i+1]);return function(x){var i2=bisectRight(domain,x,1,j)-1;return r[i2](d[i2](x))}}function copy(source,target){return target.domain(source.domain()).range(source.range()).interpolate(source.interpolate()).clamp(source.clamp()).unknown(source.unknown())}function transformer(){var domain=unit,range2=unit,interpolate=value,transform,untransform,unknown,clamp=identity2,piecewise,output,input;function rescale(){var n=Math.min(domain.length,range2.length);return clamp!==identity2&&(clamp=clamper(domain[0],domain[n-1])),piecewise=n>2?polymap:bimap,output=input=null,scale}function scale(x){return x==null||isNaN(x=+x)?unknown:(output||(output=piecewise(domain.map(transform),range2,interpolate)))(transform(clamp(x)))}return scale.invert=function(y){return clamp(untransform((input||(input=piecewise(range2,domain.map(transform),number2)))(y)))},scale.domain=function(_){return arguments.length?(domain=Array.from(_,number3),rescale()):domain.slice()},scale.range=function(_){return arguments.length?(range2=Array.from(_),rescale()):range2.slice()},scale.rangeRound=function(_){return range2=Array.from(_),interpolate=round,rescale()},scale.clamp=function(_){return arguments.length?(clamp=_?!0:identity2,rescale()):clamp!==identity2},scale.interpolate=function(_){return arguments.length?(interpolate=_,rescale()):interpolate},scale.unknown=function(_){return arguments.length?(unknown=_,scale):unknown},function(t,u){return transform=t,untransform=u,rescale()}}function continuous(){return transformer()(identity2,identity2)}function tickFormat(start,stop,count,specifier){var step=tickStep(start,stop,count),precision;switch(specifier=formatSpecifier(specifier??",f"),specifier.type){case"s":{var value2=Math.max(Math.abs(start),Math.abs(stop));return specifier.precision==null&&!isNaN(precision=precisionPrefix_default(step,value2))&&(specifier.precision=precision),formatPrefix(specifier,value2)}case"":case"e":case"g":case"p":case"r":{specifier.precision==null&&!isNaN(precision=precisionRound_default(step,Math.max(Math.abs(start),Math.abs(stop))))&&(specifier.precision=precision-(specifier.type==="e"));break}case"f":case"%":{specifier.precision==null&&!isNaN(precision=precisionFixed_default(step))&&(specifier.precision=precision-(specifier.type==="%")*2);break}}return format(specifier)}function linearish(scale){var domain=scale.domain;return scale.ticks=function(count){var d=domain();return ticks(d[0],d[d.length-1],count??10)},scale.tickFormat=function(count,specifier){var d=domain();return tickFormat(d[0],d[d.length-1],count??10,specifier)},scale.nice=function(count){count==null&&(count=10);var d=domain(),i0=0,i1=d.length-1,start=d[i0],stop=d[i1],prestep,step,maxIter=10;for(stop<start&&(step=start,start=stop,stop=step,step=i0,i0=i1,i1=step);maxIter-- >0;){if(step=tickIncrement(start,stop,count),step===prestep)return d[i0]=start,d[i1]=stop,domain(d);if(step>0)start=Math.floor(start/step)*step,stop=Math.ceil(stop/step)*step;else if(step<0)start=Math.ceil(start*step)/step,stop=Math.floor(stop*step)/step;else break;prestep=step}return scale},scale}function linear2(){var scale=continuous();return scale.copy=function(){return copy(scale,linear2())},initRange.apply(scale,arguments),linearish(scale)}/*! d3-scale, d3-format, d3-array, d3-interpolate, d3-color. Copyright 2010-2023 Mike Bostock

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
*/var SAME=.5,SLACK=2;function ticksOf(scale,count){let[low,high]=scale.domain();if(!(high>low))return[{value:low,label:format(".4~g")(low)}];for(;count<12&&scale.ticks(count).length<2;)count*=2;let label=scale.base?scale.tickFormat(count,"~g"):scale.tickFormat(count);return scale.ticks(count).map(value2=>({value:value2,label:label(value2)})).filter(tick=>tick.label)}var Chart=class{constructor(width,height,margin,x,y,scale=linear2){Object.assign(this,{width,height,left:margin.left,right:width-margin.right,top:margin.top,bottom:height-margin.bottom}),this.x=linear2(x,[this.left,this.right]),this.y=scale(y,[this.bottom,this.top])}level(value2){return Math.max(this.top-SLACK,Math.min(this.bottom+SLACK,this.y(value2)))}horizontal(value2,name){return drawn("line",{class:name,x1:this.left,x2:this.right,y1:this.y(value2),y2:this.y(value2)})}label(x,y,anchor,text,name="tick"){return drawn("text",{class:name,x,y,"text-anchor":anchor,text})}yAxis(count){return ticksOf(this.y,count).flatMap(({value:value2,label})=>[this.horizontal(value2,value2===0?"rule zero":"rule"),this.label(this.left-5,Math.max(10,this.y(value2)+4),"end",label)])}xAxis(count,most=1/0){let anchor=x=>x>this.width-24?"end":"middle",steps=ticksOf(this.x,count).map(({value:value2})=>value2);return steps.filter((value2,i)=>Number.isInteger(value2)&&(steps.length<=most||i%2===0)).map(value2=>this.label(this.x(value2),this.height-3,anchor(this.x(value2)),value2.toLocaleString("en")))}path(steps,values){let points=[],last=-1/0;for(let i=0;i<steps.length;i++){let x=this.x(steps[i]);if(x>this.right+SAME)break;x-last<SAME&&i<steps.length-1||(points.push(`${x.toFixed(1)},${this.level(values[i]).toFixed(1)}`),last=x)}return points.length?`M${points.join("L")}`:""}line(steps,values,attributes){return drawn("path",{d:this.path(steps,values),...attributes})}band(steps,low,high,attributes){let at=values=>Array.from(values,(value2,i)=>`${this.x(steps[i]).toFixed(1)},${this.level(value2).toFixed(1)}`);return drawn("path",{d:`M${[...at(high),...at(low).reverse()].join("L")}Z`,...attributes})}};var OUTLINES={circle:"M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",square:"M-.88 -.88H.88V.88H-.88Z",diamond:"M0 -1.2L1.2 0L0 1.2L-1.2 0Z",cross:"M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z","triangle-up":"M0 -1.2L1.15 .8H-1.15Z",x:"M-1.06 -.5L-.5 -1.06L0 -.56L.5 -1.06L1.06 -.5L.56 0L1.06 .5L.5 1.06L0 .56L-.5 1.06L-1.06 .5L-.56 0Z",star:"M0 -1.3L.33 -.45L1.24 -.4L.53 .17L.76 1.05L0 .56L-.76 1.05L-.53 .17L-1.24 -.4L-.33 -.45Z"},LIGHT=["#0072B2","#E69F00","#009E73","#D55E00","#CC79A7","#56B4E9","#6F4AB8","#7D5A2B","#3D4650","#8AA000","#B5123F"],DARK=["#4DA3FF","#FFB52E","#2BD4A0","#FF7A33","#F29AC8","#96D8FF","#AB8DF0","#C79C6A","#DFE4EA","#CFDC4D","#FF6B88"],SYMBOLS=["circle","square","diamond","cross","triangle-up","x","star"],DISTINCT=LIGHT.length;function colour(group,dark){return group<0?dark?"#6b7480":"#a4abb3":(dark?DARK:LIGHT)[group%DISTINCT]}var outline=group=>OUTLINES[group<0?"circle":SYMBOLS[group%SYMBOLS.length]];function digits(value2,most=3){let size=Math.abs(value2),maximumSignificantDigits=Math.max(most,String(Math.trunc(size)).length);return(size!==0&&(size<1e-4||size>=1e5)?value2.toExponential(1):value2.toLocaleString("en",{maximumSignificantDigits})).replace("-","−").replace("e+","e")}var HEIGHT=182,MARGIN={left:46,right:10,top:8,bottom:24},SPIKES=.015;function range(chosen,others){let pooled=others.flatMap(curve=>curve.mean).sort((a,b)=>a-b),all=[...pooled.slice(Math.floor(SPIKES*pooled.length),Math.ceil((1-SPIKES)*pooled.length)),...chosen?[chosen.mean,...chosen.seeds].flat():[]],low=Math.min(...all),high=Math.max(...all),padding=.06*(high-low||1);return[low-padding,high+padding]}var Curves=class{constructor(column,variants){Object.assign(this,{column,variants,all:variants.map(variant=>variant.curves[column.name])}),this.last=Math.max(1,...this.all.filter(Boolean).map(curve=>curve.steps.at(-1))),this.place=element("div",{class:"picture"}),this.root=element("figure",{class:"chart","data-column":column.name},element("figcaption",{text:column.title}),this.place)}draw(at,dark){let width=this.place.clientWidth;if(!width)return;let chart=new Chart(width,HEIGHT,MARGIN,[0,this.last],range(this.all[at],this.all.filter((curve,k)=>curve&&k!==at))),others=this.variants.flatMap((variant,k)=>k!==at&&this.all[k]?this.lines(chart,variant,this.all[k],"was","rest"):[]),own=this.all[at]?this.chosen(chart,this.variants[at],this.all[at],colour(at,dark)):[],below=[["start",0],["middle",this.last/2],["end",this.last]].map(([anchor,step])=>chart.label(chart.x(step),HEIGHT-7,anchor,anchor==="middle"?"step":String(step)));this.place.replaceChildren(drawn("svg",{width,height:HEIGHT,role:"img","aria-label":this.text(at)},...chart.yAxis(4),...below,...others,...own))}lines(chart,variant,{steps,mean,low,high},line,band,shade=null){let title=()=>drawn("title",{text:variant.name}),made=[chart.line(steps,mean,{class:line,stroke:shade})];if(variant.seeds>1&&made.unshift(chart.band(steps,low,high,{class:band,fill:shade})),!shade)for(let part of made)part.append(title());return made}chosen(chart,variant,curve,shade){let mean=this.lines(chart,variant,curve,"mean","band",shade),seeds=curve.seeds.map(seed=>chart.line(curve.steps,seed,{class:"seed",stroke:shade}));return[...mean.slice(0,-1),...seeds,mean.at(-1)]}text(at){let{title}=this.column,{name}=this.variants[at],curve=this.all[at];return curve?`${title} of ${name}: mean ${digits(curve.mean[0])} at step ${curve.steps[0]}, ${digits(curve.mean.at(-1))} at step ${curve.steps.at(-1)}`:`${title}: none of ${name}`}};function view(packed){if(packed instanceof DataView)return packed;let bytes=Uint8Array.from(atob(packed),letter=>letter.charCodeAt(0));return new DataView(bytes.buffer)}var STEPS=32767;function floats(packed,scale){let data=view(packed);return Float32Array.from({length:data.byteLength/2},(_,i)=>data.getInt16(2*i,!0)*scale)}function boundsOf(points,[left,right,low,high]=[1/0,-1/0,1/0,-1/0]){for(let i=0;i<points.length;i+=2)left=Math.min(left,points[i]),right=Math.max(right,points[i]),low=Math.min(low,points[i+1]),high=Math.max(high,points[i+1]);return[left,right,low,high]}function placement([left,right,low,high],width,height,{side,top=side,bottom=side},stretch=1){let wide=(width-2*side)/Math.max(right-left,.02),tall=(height-top-bottom)/Math.max(high-low,.02),[across,up]=[Math.min(wide,stretch*tall),Math.min(tall,stretch*wide)],[x0,y0]=[width/2-across*(left+right)/2,(top+height-bottom)/2+up*(low+high)/2];return(x,y)=>[x0+across*x,y0-up*y]}var HIGH=280,SIZE=4.2,EDGE=10,Sentences=class{constructor(state){this.variants=state.variants,this.texts=state.texts.map(({texts,labels})=>{let names=labels?[...new Set(labels.filter(one2=>one2!==null))].sort():[];return{texts,names,groups:texts.map((_,i)=>labels?names.indexOf(labels[i]):-1)}}),this.at=state.variants.map(variant=>variant.cloud?floats(variant.cloud.at,1/STEPS):null),this.step=null,this.title=element("figcaption"),this.slider=element("input",{type:"range",min:0,step:1,"aria-label":"step of the sentences",oninput:()=>this.go(Number(this.slider.value))}),this.where=element("output",{class:"knob-value"}),this.row=element("label",{class:"knob step"},element("span",{class:"knob-name",text:"step"}),this.slider,this.where),this.place=element("div",{class:"picture"}),this.names=element("ul",{class:"topics"}),this.note=element("p",{class:"note"}),this.root=element("figure",{class:"sentences"},this.title,this.row,element("div",{class:"beside"},this.place,this.names),this.note)}show(variant){this.variant=variant;let{cloud,name}=this.variants[variant];for(let part of[this.row,this.place,this.names])part.hidden=!cloud;if(!cloud){write(this.title,""),write(this.note,`No positions of sentences are stored for ${name}.`);return}this.probe=cloud.steps.includes(this.step)?cloud.steps.indexOf(this.step):cloud.steps.length-1,this.row.hidden=cloud.steps.length<2,this.slider.max=cloud.steps.length-1}go(probe){this.probe=probe,this.step=this.variants[this.variant].cloud.steps[probe],this.move()}draw(dark){let{cloud}=this.variants[this.variant],width=this.place.clientWidth;if(!cloud||!width)return;let{texts,groups,names}=this.texts[cloud.texts];this.spot=placement(boundsOf(this.at[this.variant]),width,HIGH,{side:EDGE}),this.dots=texts.map((text,i)=>drawn("path",{d:outline(groups[i]),fill:colour(groups[i],dark)},drawn("title",{text}))),this.picture=drawn("svg",{width,height:HIGH,role:"img"},...this.dots),this.place.replaceChildren(this.picture);let sign=group=>drawn("svg",{width:12,height:12,viewBox:"-7 -7 14 14","aria-hidden":"true"},drawn("path",{d:outline(group),transform:"scale(5)",fill:colour(group,dark)}));this.names.replaceChildren(...names.map((name,group)=>element("li",{},sign(group),` ${name}`))),this.move()}move(){let{cloud,name}=this.variants[this.variant],{texts}=this.texts[cloud.texts],step=cloud.steps[this.probe],all=this.at[this.variant],from=2*texts.length*this.probe,title=`${name}, seed ${cloud.seed}, step ${step}`;this.slider.value=this.probe,write(this.where,String(step)),attribute(this.slider,"aria-valuetext",`step ${step}`),write(this.title,title),write(this.note,`${texts.length} sentences of the run with seed ${cloud.seed} on the principal axes of its first probe; eight of these hold ${Math.round(100*cloud.share[this.probe])}% of the variance at this step, two of them are drawn.`),this.picture&&(attribute(this.picture,"aria-label",`sentences of ${title}`),this.dots.forEach((dot,i)=>{let[x,y]=this.spot(all[from+2*i],all[from+2*i+1]);attribute(dot,"transform",`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${SIZE})`)}))}};var HIGH2=22,EDGE2=8,lists=0,Scores=class{constructor(state,choose){this.variants=state.variants;let own=state.variants.flatMap(variant=>[...variant.scores,...variant.interval??[]]);this.low=Math.min(...own),this.high=Math.max(...own),lists+=1;let group=`clwork-variants-${lists}-${Math.random().toString(36).slice(2,8)}`;this.rows=state.variants.map((variant,at)=>this.row(variant,at,group,choose)),this.scale=element("div",{class:"strip","aria-hidden":"true"}),this.root=element("fieldset",{class:"variants"},element("legend",{text:"setting"}),element("div",{class:"heading"},element("span",{text:own.length?state.score:"no scores are stored"})),...this.rows.map(one2=>one2.row),element("div",{class:"variant scale"},element("span"),this.scale,element("span")))}row(variant,at,group,choose){let box=element("input",{type:"radio",name:group,value:at,onchange:()=>choose(at)}),strip=element("span",{class:"strip","aria-hidden":"true"}),mean=variant.mean===null?"–":digits(variant.mean,4),told=element("span",{class:"mean-score",text:mean,title:variant.summary}),name=element("span",{class:"variant-name",text:variant.name,title:variant.name}),count=element("span",{class:"count",text:variant.seeds===1?"1 seed":`${variant.seeds} seeds`});return{row:element("label",{class:"variant"},element("span",{class:"who"},box,name,count),strip,told),box,strip}}show(at){this.at=at,this.rows.forEach(({row,box},k)=>{box.checked=k===at,row.classList.toggle("chosen",k===at)})}draw(dark){if(!(this.high>=this.low))return;let width=this.scale.clientWidth,x=linear2([this.low,this.high],[EDGE2,width-EDGE2]);for(let[k,{strip}]of this.rows.entries())strip.replaceChildren(this.strip(k,width,x,dark));let axis=drawn("svg",{width,height:16});for(let{value:value2,label}of ticksOf(x,4)){let anchor="middle";x(value2)<24?anchor="start":x(value2)>width-24&&(anchor="end"),axis.append(drawn("text",{class:"tick",x:x(value2),y:12,"text-anchor":anchor,text:label}))}this.scale.replaceChildren(axis)}strip(k,width,x,dark){let variant=this.variants[k],picture=drawn("svg",{width,height:HIGH2}),shade=k===this.at?colour(k,dark):"var(--was)";for(let{value:value2}of ticksOf(x,4))picture.append(drawn("line",{class:"rule",x1:x(value2),x2:x(value2),y1:0,y2:HIGH2}));if(variant.interval){let[from,to]=variant.interval.map(x);picture.append(drawn("rect",{class:"interval",x:from,y:HIGH2/2-4,width:Math.max(1,to-from),height:8,rx:2,fill:shade}))}for(let score of variant.scores)picture.append(drawn("circle",{class:"score",cx:x(score),cy:HIGH2/2,r:3.5,stroke:shade}));return variant.mean!==null&&picture.append(drawn("line",{class:"middle",x1:x(variant.mean),x2:x(variant.mean),y1:2,y2:HIGH2-2,stroke:shade})),picture}},Controls=class{constructor(state,now,choose){Object.assign(this,{variants:state.variants,now,choose}),this.knobs=state.knobs.map((knob,k)=>this.knob(knob,k,state.ordered.includes(knob.name))),this.root=element("div",{class:"knobs"},...this.knobs.map(one2=>one2.row)),this.root.hidden=!this.knobs.length}knob(knob,k,ordered){let words=knob.name.replaceAll("_"," "),value2=element("output",{class:"knob-value"}),about={"aria-label":words,title:`Goes to a setting with this ${words}.`,"data-knob":knob.name},control=ordered?element("input",{type:"range",min:0,max:knob.values.length-1,step:1,...about,oninput:()=>this.turn(k,Number(control.value))}):element("select",{...about,onchange:()=>this.turn(k,Number(control.value))},...knob.values.map((one2,i)=>element("option",{value:i,text:one2})));return{row:element("label",{class:"knob"},element("span",{class:"knob-name",text:words}),control,ordered?value2:""),control,value:value2,values:knob.values}}turn(k,value2){let present=this.variants[this.now()].at,countAlike=variant=>variant.at.filter((index,other)=>other!==k&&index===present[other]).length,fits=this.variants.map((variant,at)=>[at,countAlike(variant)]).filter(([at])=>this.variants[at].at[k]===value2),[best]=fits.reduce((most,next)=>next[1]>most[1]?next:most);this.choose(best)}show(at){this.knobs.forEach(({control,value:value2,values},k)=>{let place=this.variants[at].at[k];control.value=String(place),write(value2,values[place]),attribute(control,"aria-valuetext",values[place])})}};var style_default=`.clwork-explore {
  max-width: 960px;
  padding: 12px 16px;
  border: 1px solid var(--rule);
  border-radius: 8px;
}
.clwork-explore p,
.clwork-explore figure {
  margin: 0 0 8px;
}
.clwork-explore .claim strong {
  font-weight: 600;
}
.clwork-explore .claim,
.clwork-explore .says {
  overflow-wrap: anywhere;
}
.clwork-explore .says {
  min-height: var(--line);
}
.clwork-explore .note,
.clwork-explore .heading,
.clwork-explore .count,
.clwork-explore figcaption {
  font-size: var(--small);
  line-height: var(--line-small);
  color: var(--soft);
}
.clwork-explore figcaption {
  color: var(--ink);
}
.clwork-explore .variants {
  border: 0;
  margin: 0 0 8px;
  padding: 0;
  min-width: 0;
}
.clwork-explore legend {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}
.clwork-explore .heading {
  text-align: right;
  padding: 0 4px;
}
.clwork-explore .variant {
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1.3fr) 4.5em;
  gap: 0 12px;
  align-items: center;
  min-height: 30px;
  padding: 2px 4px;
  border-radius: 4px;
  cursor: pointer;
}
.clwork-explore .variant.scale {
  min-height: 16px;
  padding-block: 0;
  cursor: auto;
}
.clwork-explore .variant.chosen {
  background: var(--tint);
}
.clwork-explore .variant:has(input:focus-visible) {
  outline: 2px solid var(--accent);
  outline-offset: -2px;
}
.clwork-explore .who {
  display: flex;
  align-items: center;
  gap: 6px;
  min-width: 0;
}
.clwork-explore .who input {
  margin: 0;
  flex: none;
  accent-color: var(--accent);
  width: 16px;
  height: 16px;
}
.clwork-explore .variant-name {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.clwork-explore .count {
  flex: none;
  margin-left: auto;
}
.clwork-explore .mean-score {
  text-align: right;
  font-weight: 600;
}
.clwork-explore .strip {
  min-width: 0;
  display: block;
}
.clwork-explore svg {
  display: block;
}
.clwork-explore .score {
  fill: var(--ground);
  stroke-width: 1.5;
}
.clwork-explore .chosen .score {
  fill: var(--tint);
}
.clwork-explore .interval {
  opacity: 0.3;
}
.clwork-explore .middle {
  stroke-width: 2;
}
.clwork-explore .knobs {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr));
  gap: 4px 24px;
  margin-bottom: 8px;
}
.clwork-explore .knob {
  display: flex;
  align-items: center;
  gap: 8px;
  min-height: var(--control);
}
.clwork-explore .knob-name {
  color: var(--soft);
  flex: none;
}
.clwork-explore .knob-value {
  min-width: 3.5em;
  text-align: right;
  font-weight: 600;
}
.clwork-explore input[type="range"] {
  flex: 1;
  min-width: 60px;
  height: 24px;
  accent-color: var(--accent);
  cursor: pointer;
}
.clwork-explore select {
  flex: 1;
}
.clwork-explore .charts {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(240px, 100%), 1fr));
  gap: 8px 16px;
}
.clwork-explore .picture {
  min-width: 0;
  overflow: hidden;
}
.clwork-explore .rule {
  stroke: var(--rule);
}
.clwork-explore .tick {
  font-size: 11px;
  fill: var(--soft);
}
.clwork-explore .rest {
  fill: var(--was);
  opacity: 0.14;
}
.clwork-explore .was {
  fill: none;
  stroke: var(--was);
  stroke-width: 1;
  opacity: 0.75;
}
.clwork-explore .band {
  opacity: 0.2;
}
.clwork-explore .seed {
  fill: none;
  stroke-width: 0.8;
  opacity: 0.6;
}
.clwork-explore .mean {
  fill: none;
  stroke-width: 2.5;
}
.clwork-explore .beside {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 16px;
  align-items: start;
}
.clwork-explore .topics {
  list-style: none;
  margin: 0;
  padding: 8px 0;
  font-size: var(--small);
  line-height: 18px;
}
.clwork-explore .topics li {
  display: flex;
  align-items: center;
  gap: 6px;
}
.clwork-explore .sentences .note {
  margin: 0;
}
@container (max-width: 520px) {
  .clwork-explore .variant {
    grid-template-columns: minmax(0, 1fr) 4.5em;
  }
  .clwork-explore .variant .strip {
    grid-column: 1 / -1;
    grid-row: 2;
  }
  .clwork-explore .variant.scale .strip {
    grid-row: 1;
  }
  .clwork-explore .heading {
    text-align: left;
  }
  .clwork-explore .beside {
    grid-template-columns: minmax(0, 1fr);
  }
  .clwork-explore .topics {
    display: flex;
    flex-wrap: wrap;
    gap: 0 14px;
    padding: 0;
  }
}
`;var Explorer=class{constructor(state){this.state=state,this.at=state.start,this.dark=!1;let choose=at=>this.choose(at);this.scores=new Scores(state,choose),this.knobs=new Controls(state,()=>this.at,choose),this.curves=state.columns.filter(({name})=>state.variants.some(variant=>variant.curves[name])).map(column=>new Curves(column,state.variants)),this.sentences=state.variants.some(variant=>variant.cloud)?new Sentences(state):null,this.says=element("p",{class:"says",role:"status"}),this.charts=element("div",{class:"charts"},...this.curves.map(one2=>one2.root)),this.root=element("section",{class:"clwork-look clwork-explore","data-fits":!0,"aria-label":`stored runs of ${state.name}`},element("p",{class:"claim"},element("strong",{text:state.claim}),` Verdict on ${state.name}: ${state.verdict}`),this.scores.root,this.knobs.root,this.says),this.curves.length&&this.root.append(this.charts,element("p",{class:"note",text:this.note()})),this.sentences&&this.root.append(this.sentences.root),onResize(this.root,()=>this.draw()),this.choose(this.at)}note(){let others=this.state.variants.length>1?"; grey: mean and band of the other settings":"";return`Thick: mean of all seeds; thin: each seed; ${this.state.band}${others}.`}choose(at){this.at=at;let variant=this.state.variants[at];attribute(this.root,"data-variant",variant.name),write(this.says,variant.summary),this.scores.show(at),this.knobs.show(at),this.sentences?.show(at),this.draw()}paint(dark){this.dark=dark,this.draw()}draw(){if(this.root.clientWidth){this.scores.draw(this.dark);for(let one2 of this.curves)one2.draw(this.at,this.dark);this.sentences?.draw(this.dark)}}},PARTS=["name","claim","verdict","columns","score","band","variants","knobs","ordered","texts","start"],render=({model,el})=>mount(el,style_default,new Explorer(Object.fromEntries(PARTS.map(part=>[part,model.get(part)])))),index_default={render};export{index_default as default};
