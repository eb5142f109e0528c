"""Words that announce values in other languages: labels, copulas and verbs, one table a language.

Spaces inside an entry stand for one space. Written in lower case; compared with lower-cased text.
"""

from __future__ import annotations

LABELS: dict[str, str] = {
    "es": "localizador|otp|contrato|combinación|póliza|abonado|socio|turno|n\u00ba|n.º|nro."
    "|código|codigo|clave"
    "|contraseña|contrasena|llave|ficha|número|numero|dirección|direccion"
    "|teléfono|telefono|correo"
    "|usuario|identificador|referencia|pedido|matrícula|matricula|cuenta|reserva|enlace|ruta"
    "|puerto|servidor|versión|sala|puerta|taquilla|caja fuerte|expediente|frase|coordenadas"
    "|importe|fecha|factura|vuelo|billete|archivo|factura|token|pin|id|url|iban|wifi",
    "fr": "mdp|immatriculation|contrat|adhérent|dossier|n\u00b0|n\u00ba|combinaison|code|clé|cle"
    "|clef|mot de passe"
    "|jeton|numéro|numero|adresse|téléphone|telephone|courriel"
    "|utilisateur|identifiant|référence|commande"
    "|réservation|compte|lien|chemin|serveur|version|salle|porte|casier|coffre|dossier|facture|vol|billet|fichier|phrase|coordonnées|montant|plaque|token|pin|id|url|iban|wifi|digicode",
    "de": "az.|wlan-schlüssel|losung|türcode|kombination|vertrag|nr.|nr|-nr.|code|schlüssel"
    "|schluessel|passwort|kennwort"
    "|passphrase|token|nummer|adresse|telefon"
    "|handy|e-mail|benutzer|benutzername|kennung|referenz|bestellung"
    "|buchung|konto|link|pfad|server|version|raum|zimmer|tür|schließfach|tresor|aktenzeichen|rechnung|flug|datei|koordinaten|betrag|kennzeichen|pin|id|url|iban|wlan|zugang|zahl|kombination",
    "it": "contrassegno|contratto|tessera|polizza|n.|n\u00b0|codice|chiave|password|parola"
    "|gettone|numero"
    "|indirizzo|telefono|cellulare|utente"
    "|identificativo|riferimento|ordine|prenotazione|conto|collegamento|percorso"
    "|porta|server|versione|sala|stanza|armadietto|cassaforte|pratica|fattura|volo|biglietto|file|frase|coordinate|importo|targa|token|pin|id|url|iban|wifi|combinazione",
    "pt": "localizador|contrato|protocolo|apólice|n.\u00ba|n\u00ba|combinação|código|codigo"
    "|chave|senha"
    "|palavra-passe|ficha|número|numero|endereço|endereco|telefone"
    "|celular|telemóvel|usuário|utilizador|identificador|referência|pedido|encomenda"
    "|reserva|conta|ligação|caminho|porta|servidor|versão|sala|armário|cofre|processo|fatura|voo|bilhete|arquivo|ficheiro|frase|coordenadas|valor|matrícula|placa|token|pin|id|url|iban|wifi",
    "ru": "пинкод|пин-кода|шифр|договор|договора|полис|домофона|домофон|\u2116|номером|код|кода"
    "|коду|кодом|пароль"
    "|пароля|ключ|ключа|токен|номер|номера|адрес|телефон|почта"
    "|логин|пользователь|идентификатор|ссылка|заказ|заказа|бронь|бронирование|счёт|счет|путь"
    "|порт|сервер"
    "|версия|комната|дверь|двери|сейф|сейфа|ячейка|фраза|координаты|сумма|рейс|билет|файл|пин|пин-код|id|артикул",
    "tr": "parolasını|şifresini|şifreyi|kodla|sözleşme|randevu|poliçe|abone|kodunuz|numaranız"
    "|kod|kodu|kodunu|şifre|şifresi|sifre"
    "|sifresi|parola|parolası|anahtar|anahtarı|jeton"
    "|numara|numarası|numarasi|adres|adresi|telefon|telefonu|e-posta|kullanıcı|kullanıcı adı"
    "|kimlik|kimliği|referans|referansı|sipariş|siparişi|rezervasyon"
    "|hesap|hesabı|bağlantı|bağlantısı|yol|yolu|sunucu|sunucusu|sürüm|sürümü|oda|odası|kapı|kasa|dolap|dosya|dosyası|fatura|uçuş|bilet|plaka|plakası|koordinat|koordinatları|tutar|token|pin|id|url|iban|no",
    "ar": "الرقم السري|لوحة|العقد|عقد|رمز|الرمز|كود|الكود|كلمة المرور|كلمة السر|مفتاح|المفتاح"
    "|رقم|الرقم|عنوان"
    "|العنوان|هاتف"
    "|الهاتف|البريد|المستخدم|معرف|المعرف|معرّف|مرجع|المرجع|طلب|الطلب|الحجز|حجز|حساب|الحساب"
    "|رابط|الرابط|مسار|المسار|منفذ|المنفذ|خادم|الخادم|إصدار|الإصدار|غرفة|الغرفة|باب|الباب"
    "|خزنة|الخزنة|التذكرة|الرحلة|ملف|الملف|الإحداثيات|المبلغ",
    "hi": "ओटीपी|अनुबंध|कोड|पासवर्ड|कुंजी|टोकन|नंबर|नम्बर|संख्या|पता|फ़ोन|फोन|ईमेल|उपयोगकर्ता"
    "|पहचान|आईडी"
    "|संदर्भ|ऑर्डर|बुकिंग|खाता|खाते|लिंक|पथ|पोर्ट|सर्वर|संस्करण|कमरा|कमरे|दरवाज़े|दरवाजे"
    "|तिजोरी|लॉकर|टिकट|उड़ान|फ़ाइल|फाइल|पिन|निर्देशांक|राशि",
    "zh": "码|碼|门牌|合同|工号|学号|卡号|密码|密碼|口令|代码|代碼|编码|验证码|驗證碼|密钥|密鑰"
    "|令牌"
    "|号码|號碼|编号|編號|地址"
    "|网址|電話|电话|手机|邮箱|用户名|账号|帳號|账户|识别码|标识|参考号|订单号|訂單號|单号"
    "|预订号|链接|连结|路径|端口|服务器|版本|版本号|房间号|房号|门禁|保险箱|柜|航班|车牌"
    "|序列号|坐标|金额|文件|钥匙|暗号|号",
    "ja": "契約|会員|コード|暗証番号|パスワード|合言葉|キー|鍵|トークン|番号|住所|アドレス|電話"
    "|携帯|メール"
    "|ユーザー名|ユーザ名|アカウント|識別子|参照|注文|予約|口座|リンク|パス|ポート|サーバー"
    "|サーバ|バージョン|部屋|ドア|金庫|ロッカー|便|チケット|ファイル|座標|金額|ナンバー"
    "|認証|シリアル|id|pin|url",
    "ko": "비번|암구호|번호판|계약|회원|코드|비밀번호|암호|키|열쇠|토큰|번호|주소|전화|휴대폰"
    "|이메일|메일|사용자"
    "|사용자명"
    "|아이디|계정|식별자|참조|주문|예약|계좌|링크|경로|포트|서버|버전|방|문|금고|사물함"
    "|항공편|티켓|파일|좌표|금액|핀|인증|시리얼|id|pin|url",
}
NAMING = frozenset(word for table in LABELS.values() for word in table.replace("|", " ").split())
"""The words of all labels."""
COPULAS: dict[str, str] = {
    "es": "ha cambiado a|cambia a|fue cambiado a|pasó a ser|se puso en|es el|son las|es|son|era"
    "|será|sería|queda|quedó|es ahora|ahora es|ya es|cambió a|se cambió a|pasa a"
    " ser|quedó en|está|sigue siendo",
    "fr": "c'est|c’est|c'est le|c’est le|est passé à|passe à|a été remplacé par|a été changé pour"
    "|est devenu|porte le numéro|s'appelle|est|sont|était|sera|devient|est désormais|est "
    "maintenant|a été changé en|reste",
    "de": "ist nun|wurde zu|wurde in|wurde geändert auf|wird zu|hat sich geändert in|steht auf"
    "|ist|lautet|sind|war|wird|ist jetzt|lautet jetzt|heißt|bleibt|wurde auf|wäre|gilt",
    "it": "è diventato|è diventata|è stato cambiato in|è stata cambiata in|è passato a|è "
    "passata a|è|e'|sono|era|sarà|è ora|ora è|adesso è|diventa|resta",
    "pt": "passou a ser|passou para|foi alterado para|foi alterada para|foi mudado para|virou|é"
    "|são|era|será|agora é|é agora|passa a ser|mudou para|fica|ficou|está|continua",
    "ru": "сменили на|сменился на|поменяли на|изменили на|изменился на|стал|стала|теперь такой"
    "|теперь такая|такой|такая|такие|это|-|—|–|был|была|теперь|будет|равен|изменён на",
    "tr": "şu|şudur|artık|şimdi|şöyle|olarak|yeni",
    "ar": "هو|هي|هو الآن|هي الآن|أصبح|أصبحت|الآن",
    "hi": "है|हैं|था|अब|यह है",
    "zh": "改成了|换成了|变成了|变更为|更新为|换成|设为|设成|改到|而是|写着|显示|如下|是|为|為"
    "|改为|改成|就是|现在是|变成|：|在|到",
    "ja": "はこちら|は次の通り|は|が|を|も|とは|では|今は|について",
    "ko": "은|는|이|가|을|를|로|으로|이제",
}
VERBS: dict[str, str] = {
    "es": "diga|diles|dile|pone|se lee|marcar|teclear|escribir|escrito|anotado|apuntado|grabado"
    "|pregunta por|sino"
    "|recuerda|recuerde|anota|anote|apunta|usa|use|utiliza|marca|marque|teclea|introduce"
    "|escribe|llama al|llámame al|llámala al|es decir|corrección|digo|mejor|está en"
    "|aparcado en|entra con|abre con|se abre con|guardado en|dijo|dio|guarda",
    "fr": "dites|il est écrit|écrit|noté|gravé|inscrit|indique|taper|à l'adresse"
    "|mais|rappelle-toi|retiens|retenez|note|notez|utilise|utilisez|tape|tapez|compose|composez"
    "|saisis|saisissez|entre|appelle-la au|appelle au|appelez le|correction|plutôt|s'ouvre"
    " avec|ouvre avec|garé en|rangé dans|c'est|voici",
    "de": "sag|sagen sie|nennen sie|nenne|steht|lesen wir|geschrieben|notiert|eingraviert"
    "|sondern|öffnet sich mit|heißt es"
    "|zeigt|anzeigt|merke dir|merk dir|merken sie sich|notiere|notieren sie|benutze|benutzen sie"
    "|verwende"
    "|verwenden sie|tippe|tippen sie|wähle|wählen sie|gib|gibst du|geben sie|gebt|eingeben"
    "|ruf an unter|erreichst du unter|erreichbar unter|unter|korrektur|vielmehr|nimm|öffnet"
    " mit|liegt in|steht in|hier ist|das ist",
    "it": "dica|dite|c'è scritto|c’è scritto|scritto|si legge|inciso|annotato|bensì|ricorda"
    "|ricordati|annota|segna|usa|usate|digita|componi|inserisci|chiama il|chiamala"
    " al|correzione|anzi|si apre con|apri con|parcheggiata in|salvato in|ecco|sarebbe",
    "pt": "diga|fale|dizer|está escrito|escrito|lê-se|gravado|anotado|ancorado em|parado em|mas "
    "sim|lembra-te|lembre-se de|lembre|anota|anote|usa|use|digita|digite|disca|disque|insere"
    "|insira|liga para|ligue para|correção|aliás|abre com|estacionado em|guardado em|aqui"
    " está|salvo em",
    "ru": "скажи|скажите|назови|назовите|написано|было написано|записано|указано|нацарапано"
    "|выбито|стоит|а именно|запомни|запомните|запиши|запишите|используй|используйте|введи"
    "|введите|набери|наберите"
    "|позвони по|звони по|звоните по|исправление|точнее|вернее|вот|открывается кодом|стоит"
    " на|лежит в",
    "tr": "söyle|yazıyor|yazılı|unutma|hatırla|not et|not al|yaz|tuşla|çevir|gir|ara|kullan"
    "|düzeltme|daha doğrusu|yani"
    "|işte",
    "ar": "قل|مكتوب|كتب|بل هو|تذكر|تذكّر|سجل|اكتب|استخدم|أدخل|اتصل على|اتصل بـ|تصحيح|بل|إليك|احفظ",
    "hi": "बोलें|कहें|याद रखें|याद रखो|नोट करें|लिख लो|डायल करें|सुधार|यानी|बल्कि",
    "zh": "报|说|写着|写有|写的是|刻着|印着|贴着|标着|显示|放到|口令为|而是|记住|記住|记下|输入"
    "|輸入|使用|拨打|撥打|请打|改为|更正|应该是|停在|存放在|放在|告诉我"
    "|用|打",
    "ja": "覚えて|入力|メモ|訂正|正しくは|至急|連絡先|控え|ダイヤル|いや",
    "ko": "기억해|입력|메모|정정|정확히는|연락처|아니|바로",
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
    "tr": "yazıyor|yazılı|oldu|olarak|noktasında|yaz|tuşla|gir|çevir|ara|kullan|bas|not et|'i|'ı"
    "|'u|'ü|numaralı|adresine|adresinden"
    "|kodu|şifresi",
    "hi": "लिखा|रखा गया|पर मिले|कर दिया|हो गया|दबा|डायल|दर्ज|लिख|डाल|टाइप|याद|नोट|इस्तेमाल|पर कॉल"
    "|पर फ़ोन|पर फोन|पर संपर्क|का उपयोग"
    "|से खुल|को याद",
    "ko": "이라고 쓰|라고 쓰|라고 적|이라고 적|로 바뀌|으로 바뀌|로 변경|으로 변경|누르|눌러"
    "|입력|을 입력|를 입력|을 누르|를 누르|로 전화|으로 전화|에 저장|에 있|로 열"
    "|으로 열|라고|이라고|을 사용|를 사용|을 기억|를 기억",
    "ja": "と書|と刻|と印|と示|に変わ|になり|に変更|と入力|を入力|を押|に電話|を使|とメモ|を覚"
    "|と言|を打|で開|に保存|にあり|に停|と記"
    "|まで連絡|へ連絡|にご連絡",
    "zh": "附近|打开|就能|即可|可以打开|记住",
}
QUESTIONS = (
    "¿|？|qué|cuál|cual|quel|quelle|quels|welche|welcher|wie lautet|was ist|quale|qual|какой|какая"
    "|каков|hangi|nedir|ما هو|ما هي|क्या|什么|哪|何|どれ|무엇|뭐"
)
# Before a value, and after it: it is not, or no longer, the one.
NOT_BEFORE = (
    "no es|no|ya no es|en vez de|en lugar de|n'est pas|n'est plus|pas|au lieu de|nicht|nicht "
    "mehr|statt"
    "|anstatt|non è|non è più|non|invece di|anziché|não é|não|em vez de|não é mais|не|вместо"
    "|больше не"
    "|ليس|ليست|بدلا من|不是|不再是|并非|而不是|不是指"
)
NOT_AFTER = "ではなく|ではない|じゃなく|でなく|가 아니|이 아니|아니라|değil|नहीं|के बजाय"
UNSPACED = ("zh", "ja", "ko")
COMPOUNDS = "nummer|code|passwort|kennwort|schlüssel|kennung|adresse|zeichen|konto|kombination"
"""German labels that end longer words."""
ENDINGS = (
    *"nummer passwort kennwort schlüssel kennung adresse".split(),
    *(word for tongue in UNSPACED for word in LABELS[tongue].split("|") if not word.isascii()),
)
"""What a word that names a value ends with, where words are joined."""
CLITICS = "[وفبلك]{1,2}"
"""Particles that Arabic writes together with the word behind them."""
OF = "de|del|de la|du|des|d'|d’|da|do|das|dos|di|dei|della|dello|der|für|von|para|per|pour|por"
"""What joins a label to the words that say whose it is."""
SECRETS = frozenset(
    "contraseña contrasena clave palavra-passe senha passwort kennwort losung пароль пароля шифр"
    " şifre şifresi sifre parola parolası senha mdp पासवर्ड 密码 密碼 口令 パスワード 暗証番号"
    " 비밀번호 비번"
    " 암호".split()
)
"""Labels that promise a secret of any form."""
