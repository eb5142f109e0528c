"""Words that announce values in other languages, one table a language.

Spaces inside an entry stand for one space. Written in lower case; compared with lower-cased text.
"""

from __future__ import annotations

LABELS: dict[str, str] = {
    "es": "santo y seña|resguardo|guía|rastreo|seguimiento|albarán|recibo|cuota|cédula|dni|nif"
    "|candado|"
    "alarma|portal|carpeta|móvil|celular|trámite|solicitud|monto|precio|serie|lote|"
    "localizador|otp|contrato|combinación|póliza|abonado|socio|turno|n\u00ba|n.º|nro."
    "|código|codigo|clave"
    "|contraseña|contrasena|llave|ficha|número|numero|dirección|direccion"
    "|teléfono|telefono|correo"
    "|usuario|identificador|referencia|pedido|matrícula|matricula|cuenta|reserva|"
    "enlace|ruta"
    "|puerto|servidor|versión|sala|puerta|taquilla|caja fuerte|expediente|frase|coordenadas"
    "|importe|fecha|factura|vuelo|billete|archivo|factura|token|pin|id|url|iban|wifi",
    "fr": "suivi|colis|reçu|bordereau|cadenas|alarme|portail|virement|répertoire|portable|"
    "prix|"
    "lot|siret|abonné|client|billet électronique|ticket de caisse|demande|"
    "mdp|immatriculation|contrat|adhérent|dossier|n\u00b0|n\u00ba|combinaison|code|clé|cle"
    "|clef|mot de passe"
    "|jeton|numéro|numero|adresse|téléphone|telephone|courriel"
    "|utilisateur|identifiant|référence|commande"
    "|réservation|compte|lien|chemin|serveur|version|salle|porte|casier|coffre|dossier|"
    "facture|vol|billet|fichier|phrase|coordonnées|montant|plaque|token|pin|id|url|"
    "iban|wifi|digicode",
    "de": "sendung|beleg|quittung|buchungsbestätigung|vorgang|auftrag|steuernummer|kd.-nr.|"
    "kundennr.|codewort|mobil|vorhängeschloss|alarm|ordner|preis|summe|termin|serie|charge|"
    "lösungswort|losungswort|zählerstand|"
    "az.|wlan-schlüssel|losung|türcode|kombination|vertrag|nr.|nr|-nr.|code|schlüssel"
    "|schluessel|passwort|kennwort"
    "|passphrase|token|nummer|adresse|telefon"
    "|handy|e-mail|benutzer|benutzername|kennung|referenz|bestellung"
    "|buchung|konto|link|pfad|server|version|raum|zimmer|tür|schließfach|tresor|"
    "aktenzeichen|rechnung|flug|datei|koordinaten|betrag|kennzeichen|pin|id|url|iban|"
    "wlan|zugang|zahl|kombination",
    "it": "matricola|spedizione|citofono|bolletta|ricevuta|lotto|seriale|scontrino|bonifico|"
    "cartella|nome utente|serratura|lucchetto|allarme|cancello|portone|prezzo|scadenza|"
    "partita iva|codice fiscale|"
    "contrassegno|contratto|tessera|polizza|n.|n\u00b0|codice|chiave|password|parola"
    "|gettone|numero"
    "|indirizzo|telefono|cellulare|utente"
    "|identificativo|riferimento|ordine|prenotazione|conto|collegamento|percorso"
    "|porta|server|versione|sala|stanza|armadietto|cassaforte|pratica|fattura|volo|"
    "biglietto|file|frase|coordinate|importo|targa|token|pin|id|url|iban|wifi|"
    "combinazione",
    "pt": "rastreio|rastreamento|nib|pix|cartão|boleto|cadastro|crachá|quarto|apartamento|"
    "interfone|portão|montante|utente|nif|cpf|cnpj|cep|palavra-chave|lote|quantia|preço|"
    "correio|"
    "localizador|contrato|protocolo|apólice|n.\u00ba|n\u00ba|combinação|código|codigo"
    "|chave|senha"
    "|palavra-passe|ficha|número|numero|endereço|endereco|telefone"
    "|celular|telemóvel|usuário|utilizador|identificador|referência|pedido|encomenda"
    "|reserva|conta|ligação|caminho|porta|servidor|versão|sala|armário|cofre|processo|"
    "fatura|voo|bilhete|arquivo|ficheiro|frase|coordenadas|valor|matrícula|placa|token|"
    "pin|id|url|iban|wifi",
    "ru": "трек|табельный|квитанция|накладная|обращение|заявка|карта|карту|реквизиты|"
    "кодовое слово|ссылку|адресу|телефону|договору|брони|вайфай|вайфая|аккаунт|папка|папку|"
    "каталог|госномер|инн|чек|стенд|сумму|почту|пароли|логином|паролем|ключом|"
    "пинкод|пин-кода|шифр|договор|договора|полис|домофона|домофон|\u2116|номером|код|кода"
    "|коду|кодом|пароль"
    "|пароля|ключ|ключа|токен|номер|номера|адрес|телефон|почта"
    "|логин|пользователь|идентификатор|ссылка|заказ|заказа|бронь|бронирование|счёт|"
    "счет|путь"
    "|порт|сервер"
    "|версия|комната|дверь|двери|сейф|сейфа|ячейка|фраза|координаты|сумма|рейс|билет|"
    "файл|пин|пин-код|id|артикул",
    "tr": "takip|fiş|makbuz|abonelik|üyelik|müşteri|asma kilit|alarm|klasör|fiyat|bedel|"
    "vergi|"
    "seri|parti|başvuru|talep|dekont|iban'ı|telefonum|numaram|şifremiz|adresimiz|kodumuz|"
    "parolasını|şifresini|şifreyi|kodla|sözleşme|randevu|poliçe|abone|kodunuz|numaranız"
    "|kod|kodu|kodunu|şifre|şifresi|sifre"
    "|sifresi|parola|parolası|anahtar|anahtarı|jeton"
    "|numara|numarası|numarasi|adres|adresi|telefon|telefonu|e-posta|kullanıcı|"
    "kullanıcı adı"
    "|kimlik|kimliği|referans|referansı|sipariş|siparişi|rezervasyon"
    "|hesap|hesabı|bağlantı|bağlantısı|yol|yolu|sunucu|sunucusu|sürüm|sürümü|oda|odası|"
    "kapı|kasa|dolap|dosya|dosyası|fatura|uçuş|bilet|plaka|plakası|koordinat|"
    "koordinatları|tutar|token|pin|id|url|iban|no",
    "ar": "الإيصال|إيصال|الشحنة|شحنة|البوابة|القفل|قفل|الإنذار|المجلد|مجلد|السعر|الثمن|"
    "العضوية|"
    "الشكوى|البطاقة|بطاقة|الجوال|جوال|الموبايل|الفاتورة|فاتورة|التحقق|الموعد|"
    "الرقم السري|لوحة|العقد|عقد|رمز|الرمز|كود|الكود|كلمة المرور|كلمة السر|الكلمة السرية|عبارة "
    "السر|عبارة المرور|مفتاح|المفتاح"
    "|رقم|الرقم|عنوان"
    "|العنوان|هاتف"
    "|الهاتف|البريد|المستخدم|معرف|المعرف|معرّف|مرجع|المرجع|طلب|الطلب|الحجز|حجز|حساب|الحساب"
    "|رابط|الرابط|مسار|المسار|منفذ|المنفذ|خادم|الخادم|إصدار|الإصدار|غرفة|الغرفة|باب|الباب"
    "|خزنة|الخزنة|التذكرة|الرحلة|ملف|الملف|الإحداثيات|المبلغ",
    "hi": "रसीद|क्रमांक|शिकायत|ग्राहक|पार्सल|ट्रैकिंग|ताला|ताले|अलार्म|फ़ोल्डर|क़ीमत|कीमत|"
    "रक़म|"
    "रकम|मोबाइल|पॉलिसी|सीरियल|कार्ड|बिल|रजिस्ट्रेशन|पंजीकरण|"
    "गुप्त वाक्य|गुप्त शब्द|कूट शब्द|ओटीपी|अनुबंध|कोड|पासवर्ड|कुंजी|टोकन|नंबर|नम्बर|संख्या|पता|फ़ोन|फोन|ईमेल|उपयोगकर्ता"
    "|पहचान|आईडी"
    "|संदर्भ|ऑर्डर|बुकिंग|खाता|खाते|लिंक|पथ|पोर्ट|सर्वर|संस्करण|कमरा|कमरे|दरवाज़े|दरवाजे"
    "|तिजोरी|लॉकर|टिकट|उड़ान|फ़ाइल|फाइल|पिन|निर्देशांक|राशि",
    "zh": "凭证|单据|回执|会员号|取件码|提取码|邀请码|优惠码|流水号|批号|货号|税号|证号|微信|"
    "文件夹|目录|价格|定金|锁|警报|分机|"
    "码|碼|门牌|合同|工号|学号|卡号|密码|密碼|口令|代码|代碼|编码|验证码|驗證碼|密钥|密鑰"
    "|令牌"
    "|号码|號碼|编号|編號|地址"
    "|网址|電話|电话|手机|邮箱|用户名|账号|帳號|账户|识别码|标识|参考号|订单号|訂單號|单号"
    "|预订号|链接|连结|路径|端口|服务器|版本|版本号|房间号|房号|门禁|保险箱|柜|航班|车牌"
    "|序列号|坐标|金额|文件|钥匙|暗号|号",
    "ja": "伝票|受付|整理券|追跡|会員証|領収書|請求書|型番|品番|製造番号|ロット|フォルダ|"
    "ディレクトリ|料金|価格|合計|内線|ログイン|錠|"
    "契約|会員|コード|暗証番号|パスワード|合言葉|合い言葉|暗号|パスフレーズ|キー|鍵|トークン|番号|住所|アドレス|電話"
    "|携帯|メール"
    "|ユーザー名|ユーザ名|アカウント|識別子|参照|注文|予約|口座|リンク|パス|ポート|サーバー"
    "|サーバ|バージョン|部屋|ドア|金庫|ロッカー|便|チケット|ファイル|座標|金額|ナンバー"
    "|認証|シリアル|id|pin|url",
    "ko": "접수|운송장|송장|영수증|회원증|일련|모델|로트|폴더|디렉터리|가격|요금|합계|내선|"
    "로그인|자물쇠|경보|예약번호|차량번호|입금|"
    "비번|암구호|번호판|계약|회원|코드|비밀번호|암호|키|열쇠|토큰|번호|주소|전화|휴대폰"
    "|이메일|메일|사용자"
    "|사용자명"
    "|아이디|계정|식별자|참조|주문|예약|계좌|링크|경로|포트|서버|버전|방|문|금고|사물함"
    "|항공편|티켓|파일|좌표|금액|핀|인증|시리얼|id|pin|url",
}
NAMING = frozenset(word for table in LABELS.values() for word in table.replace("|", " ").split())
"""The words of all labels."""
# Before a value, and after it: it is not, or no longer, the one.
"""German labels that end longer words."""
ENDINGS = (
    *"nummer passwort kennwort schlüssel kennung adresse".split(),
    *(
        word
        for tongue in ("zh", "ja", "ko")
        for word in LABELS[tongue].split("|")
        if not word.isascii()
    ),
)
"""What a word that names a value ends with, where words are joined."""
"""Endings that bend Turkish and Russian labels."""
"""Particles that Arabic writes together with the word behind them."""
"""What joins a label to the words that say whose it is."""
SECRETS = frozenset(
    "contraseña contrasena clave palavra-passe senha passwort kennwort losung пароль пароля шифр"
    " şifre şifresi sifre parola parolası senha mdp पासवर्ड 密码 密碼 口令 パスワード 暗証番号"
    " 비밀번호 비번"
    " 암호".split()
)
"""Labels that promise a secret of any form."""
