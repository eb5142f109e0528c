"""Verbs that tell of a value in other languages than English, before it and after it, one table a
language; written as the labels of ``tongues`` are.
"""

from __future__ import annotations

VERBS: dict[str, str] = {
    "es": "encuentras en el|escríbeme a|escríbame a|escriba a|ingreso en|"
    "ingresen en|poniendo|presente|mencione|indique|haga clic en|conéctate a|"
    "levantado en|aplazada al|aplazado al|pospuesta al|fijada para|vivimos en|"
    "responde en|"
    "diga|diles|dile|pone|se lee|marcar|teclear|escribir|escrito|anotado|apuntado|grabado"
    "|pregunta por|sino"
    "|recuerda|recuerde|anota|anote|apunta|usa|use|utiliza|marca|marque|teclea|introduce"
    "|escribe|llama al|llámame al|llámala al|es decir|corrección|digo|mejor|está en"
    "|aparcado en|entra con|abre con|se abre con|guardado en|dijo|dio|guarda",
    "fr": "je suis maintenant au|joignable au|appelle-moi au|écrivez à|écris-moi à|"
    "adressez-vous à|virement sur|composant|présentez|indiquez|mentionnez|citez|"
    "cliquez sur|connecte-toi à|tourne sur|reporté au|fixé au|repoussé au|"
    "atterrissent dans|"
    "dites|il est écrit|écrit|noté|gravé|inscrit|indique|taper|à l'adresse"
    "|mais|rappelle-toi|retiens|retenez|note|notez|utilise|utilisez|tape|tapez|compose|"
    "composez"
    "|saisis|saisissez|entre|appelle-la au|appelle au|appelez le|correction|plutôt|s'ouvre"
    " avec|ouvre avec|garé en|rangé dans|c'est|voici",
    "de": "ruf mich an unter|schreib an|schreiben sie an|richten sie an|"
    "überweisen sie auf|überweise auf|nennt|gebt an|geben sie an|klick auf|läuft auf|"
    "läuft unter|landen in|verlegt auf|verschoben auf|kriegst du mit|"
    "angeben|melde dich unter|"
    "sag|sagen sie|nennen sie|nenne|steht|lesen wir|geschrieben|notiert|eingraviert"
    "|sondern|öffnet sich mit|heißt es"
    "|zeigt|anzeigt|merke dir|merk dir|merken sie sich|notiere|notieren sie|benutze|"
    "benutzen sie"
    "|verwende"
    "|verwenden sie|tippe|tippen sie|wähle|wählen sie|gib|gibst du|geben sie|gebt|eingeben"
    "|ruf an unter|erreichst du unter|erreichbar unter|unter|korrektur|vielmehr|nimm|öffnet"
    " mit|liegt in|steht in|hier ist|das ist",
    "it": "trovi al|chiamami al|chiamate il|telefona al|scrivi a|scrivimi a|"
    "scrivete a|inviate a|versate su|presenta|presentate|comunica|comunicate|"
    "mostra|cita|citate|clicca su|collegati a|gira su|risponde su|finiscono in|"
    "fissato per|rinviato al|spostato al|"
    "dica|dite|c'è scritto|c’è scritto|scritto|si legge|inciso|annotato|bensì|ricorda"
    "|ricordati|annota|segna|usa|usate|digita|componi|inserisci|chiama il|chiamala"
    " al|correzione|anzi|si apre con|apri con|parcheggiata in|salvato in|ecco|sarebbe",
    "pt": "liga no|ligue no|fala no|chama no|manda no|envie para|mande para|"
    "transfira para|deposite em|responde em|gravados em|apresente|informe|aceda a|"
    "entre com|entra com|usem|digitem|marcada para|adiada para|agendada para|sob o n.º|"
    "sob o número|encontramo-nos em|"
    "diga|fale|dizer|está escrito|escrito|lê-se|gravado|anotado|ancorado em|parado em|mas "
    "sim|lembra-te|lembre-se de|lembre|anota|anote|usa|use|digita|digite|disca|disque|"
    "insere"
    "|insira|liga para|ligue para|correção|aliás|abre com|estacionado em|guardado em|aqui"
    " está|salvo em",
    "ru": "звони на|звоните на|пиши на|пишите на|писать на|на номер|по номеру|переведи на|"
    "переведите на|под номером|за номером|по адресу|теперь на|заходи на|отправь на|"
    "отправляйте на|нажми|нажмите|вбей|вбейте|продиктуй|сообщите|предъявите|комбинацией|"
    "хранится в|лежит на|находится на|поднят на|складываем в|"
    "скажи|скажите|назови|назовите|написано|было написано|записано|указано|нацарапано"
    "|выбито|стоит|а именно|запомни|запомните|запиши|запишите|используй|используйте|введи"
    "|введите|набери|наберите"
    "|позвони по|звони по|звоните по|исправление|точнее|вернее|вот|открывается кодом|стоит"
    " на|лежит в",
    "tr": "söyleyin|yazın|girin|tuşlayın|çevirin|arayın|kullanın|belirtin|gösterin|gönderin|"
    "ulaşın|"
    "söyle|yazıyor|yazılı|unutma|hatırla|not et|not al|yaz|tuşla|çevir|gir|ara|kullan"
    "|düzeltme|daha doğrusu|yani"
    "|işte",
    "ar": "كلمني على|كلّمني على|راسلنا على|راسلونا على|عبر البريد|حوّل إلى|أرسل إلى|"
    "تحت الرقم|"
    "تحت رقم|اضغط|أبرز|اذكر|مخزن في|محفوظ في|تُحفظ في|يعمل على|نلتقي عند|بالرقم|"
    "بالرمز|"
    "قل|مكتوب|كتب|بل هو|تذكر|تذكّر|سجل|اكتب|استخدم|أدخل|اتصل على|اتصل بـ|تصحيح|بل|إليك|"
    "احفظ",
    "hi": "नोट कीजिए|लिखिए|बोलिए|दबाएँ|दबाइए|डालिए|डालें|दर्ज करें|भेजें|भेजिए|बताइए|बताएँ|"
    "दिखाइए|दिखाएँ|"
    "बोलें|कहें|याद रखें|याद रखो|नोट करें|लिख लो|डायल करें|सुधार|यानी|बल्कि",
    "zh": "致电|发到|发送至|发送到|发至|邮件至|联系|拨|拨到|转到|转账到|搬到|定在|约在|部署在|"
    "报给|扫|填|填写|请按|按|念|取|"
    "报|说|写着|写有|写的是|刻着|印着|贴着|标着|显示|放到|口令为|而是|记住|記住|记下|输入"
    "|輸入|使用|拨打|撥打|请打|改为|更正|应该是|停在|存放在|放在|告诉我"
    "|用|打",
    "ja": "お電話|こちら|お伝えください|伝えて|押して|回して|記載|印字|表示|提示|登録|送って|"
    "振込先|"
    "覚えて|入力|メモ|訂正|正しくは|至急|連絡先|控え|ダイヤル|いや",
    "ko": "눌러|눌러서|연락|전화|전달|제시|말씀|송금|입금|보내|적어|표시|기재|번호는|"
    "기억해|입력|메모|정정|정확히는|연락처|아니|바로",
}
AFTER: dict[str, str] = {
    "es": "es|será|abre|para|como",
    "fr": "est|sera|ouvre|pour",
    "de": "ist|lautet|öffnet|für|als",
    "it": "è|apre|per",
    "pt": "é|abre|para",
    "ru": "—|-|это|открывает|для|от",
    "tr": "",
    "ar": "هو|هي|لفتح|يفتح",
    "hi": "है|को|याद|डायल|दर्ज|नोट|लिख",
    "zh": "是|为|打开|开|就是|，记住",
    "ja": "が|は|です|だ|で|を入力|を覚え|を使|に電話|と入力|、",
    "ko": "이|가|입니다|이에요|예요|이야|야|를|을|로|으로",
}
VERBS_AFTER: dict[str, str] = {
    "tr": "plakalı|ile açıl|ile takip|ile kay|numarası ile|hattından|üzerinden|"
    "koordinatların|"
    "klasörün|dersin|deyin|diyerek|tarihin|saatin|nolu|"
    "no'lu|"
    "yazıyor|yazılı|oldu|olarak|noktasında|yaz|tuşla|gir|çevir|ara|kullan|bas|not et|'i|'ı"
    "|'u|'ü|numaralı|adresine|adresinden"
    "|kodu|şifresi",
    "hi": "पर चल|में रख|में जमा|में भेज|पर लिख|पर भेज|पर मिल|बोल|बता|दिखा|क्रमांक|के नाम|"
    "से दर्ज|तय हुआ|पर लगा|"
    "लिखा|रखा गया|पर मिले|कर दिया|हो गया|दबा|डायल|दर्ज|लिख|डाल|टाइप|याद|नोट|इस्तेमाल|पर कॉल"
    "|पर फ़ोन|पर फोन|पर संपर्क|का उपयोग"
    "|से खुल|को याद",
    "ko": "로 연락|으로 연락|로 보내|으로 보내|로 확정|으로 확정|번이고|로 미뤄|으로 미뤄|"
    "계좌로|로 접수|으로 접수|로 송금|로 입금|까지 보내|"
    "에서 만나|여기로|"
    "이라고 쓰|라고 쓰|라고 적|이라고 적|로 바뀌|으로 바뀌|로 변경|으로 변경|누르|눌러"
    "|입력|을 입력|를 입력|을 누르|를 누르|로 전화|으로 전화|에 저장|에 있|로 열"
    "|으로 열|라고|이라고|을 사용|를 사용|을 기억|를 기억",
    "ja": "で承|まで送|までお願|にてお|で受け|という番号|の方|番の|にしと|に設定|に置い|"
    "に切り替|を伝え|を提示|を見せ|に来|で待|へ振|に振|あて|"
    "と書|と刻|と印|と示|に変わ|になり|に変更|と入力|を入力|を押|に電話|を使|とメモ|を覚"
    "|と言|を打|で開|に保存|にあり|に停|と記"
    "|まで連絡|へ連絡|にご連絡",
    "zh": "的车主|的同事|才能打开|为准|查收|联系我|给我打|报给|找我|目录下|"
    "附近|打开|就能|即可|可以打开|记住",
}
