"""Phrases that are passwords in other languages than English, said, quoted or plain."""

from __future__ import annotations

import pytest

from found_values import anchors_of, found, found_in_pieces
from growing import assert_linear

STATED = [
    ("الكلمة السرية للدخول هي «نخلة تحت المطر»، لا تنسها.", ["نخلة تحت المطر"]),
    ("إذا طلب منك الحارس كلمة المرور قل «الغيوم تعود مساء».", ["الغيوم تعود مساء"]),
    ('كلمة السر المتفق عليها: "سفينة بلا شراع".', ["سفينة بلا شراع"]),
    ("عندما يرن الهاتف أجب بعبارة «الشاي جاهز الآن» فقط.", ["الشاي جاهز الآن"]),
    ("दरवाज़े पर पूछें तो कूट शब्द बताना: “लाल आम मीठा है”।", ["लाल आम मीठा है"]),
    ("सिक्योरिटी वाले को पासवर्ड ‘चाँद आज गोल है’ बोल देना।", ["चाँद आज गोल है"]),
    ("गुप्त वाक्य है “पुराना बरगद हँसता है”।", ["पुराना बरगद हँसता है"]),
    ("インターホンで聞かれたら「白い犬は三度鳴く」と答えて。", ["白い犬は三度鳴く"]),
    ("パスフレーズは『霧の朝に鐘が鳴る』にしてあります。", ["霧の朝に鐘が鳴る"]),
    ("合い言葉を聞かれたら「川の向こうの柿の木」と言えば通してくれる。", ["川の向こうの柿の木"]),
    ("암호를 물으면 “달빛 아래 두부 장수”라고 대답해.", ["달빛 아래 두부 장수"]),
    ("암구호는 ‘소나무 위의 종이배’야.", ["소나무 위의 종이배"]),
    ('문지기가 물어보면 "내일은 눈이 온대"라고 말하면 돼.', ["내일은 눈이 온대"]),
    ("接头暗号是“东边的风筝断了线”，别记错。", ["东边的风筝断了线"]),
    ("门卫问口令，你回答“河里的石头会唱歌”就行。", ["河里的石头会唱歌"]),
    ("到时候对方会问你，你只要说「天王盖地虎两只」他就明白。", ["天王盖地虎两只"]),
    ("Kapıdaki görevli sorarsa “mavi balık uçmaz” de.", ["mavi balık uçmaz"]),
    ('Parola şu: "kırık saat durmadı".', ["kırık saat durmadı"]),
    ("Şifreyi sorarlarsa ‘yedi kardeş dağda’ dersin, kapıyı açarlar.", ["yedi kardeş dağda"]),
    ("La contraseña es «golondrina de papel», no la apuntes.", ["golondrina de papel"]),
    ("La palabra clave para recoger al niño es naranja torcida.", ["naranja torcida"]),
    ("El santo y seña es barco dormido.", ["barco dormido"]),
    ("Si te preguntan en la puerta, di «la luna no paga».", ["la luna no paga"]),
    ("La parola d'ordine è melograno storto.", ["melograno storto"]),
    ("Se il portiere chiede, rispondi «domani piove sale».", ["domani piove sale"]),
    ("Le mot de passe est tortue musicale.", ["tortue musicale"]),
    ("Le mot de code du jour est cerise bleue.", ["cerise bleue"]),
    ("S'il te demande, réponds « le chat dort au grenier ».", ["le chat dort au grenier"]),
    ("Das Losungswort ist krumme Laterne.", ["krumme Laterne"]),
    ("Das Passwort für den Abend lautet müder Leuchtturm.", ["müder Leuchtturm"]),
    ("Wenn er fragt, sag „der Fuchs trägt Stiefel“.", ["der Fuchs trägt Stiefel"]),
    ("A palavra-passe é pêssego torto.", ["pêssego torto"]),
    ("A senha do portão é sapo cantor.", ["sapo cantor"]),
    ("Кодовое слово — кривая сосна.", ["кривая сосна"]),
    ("Пароль для входа: синий чайник.", ["синий чайник"]),
    ("Если спросят на входе, скажи «ёж несёт грибы».", ["ёж несёт грибы"]),
    ("Kapının parolası eğri nar.", ["eğri nar"]),
    ("Bu akşamın parolası sessiz kaplumbağa.", ["sessiz kaplumbağa"]),
    ("La contraseña de la caja es «tres tristes tigres».", ["tres tristes tigres"]),
    ("La clave para abrir el portal es “manzana verde”.", ["manzana verde"]),
    ('El código secreto de los niños es "dragón de chocolate".', ["dragón de chocolate"]),
    ("Le mot de passe du club, c'est « petit nuage gris ».", ["petit nuage gris"]),
    ("Notre mot secret est pamplemousse enchanté.", ["pamplemousse enchanté"]),
    ("Das Codewort fürs Abholen ist lila Elefant.", ["lila Elefant"]),
    ("Unser Geheimwort ist „Butterbrot mit Käse“.", ["Butterbrot mit Käse"]),
    ('Il nostro codice segreto è "gatto con gli stivali".', ["gatto con gli stivali"]),
    ("A palavra de segurança é tartaruga azul.", ["tartaruga azul"]),
    ("Наш тайный пароль — «три белых коня».", ["три белых коня"]),
    ("Çocuğu almaya gelene sorulacak gizli kelime turuncu balon.", ["turuncu balon"]),
    ('كلمة سر الدخول إلى النادي هي "عصفور أزرق".', ["عصفور أزرق"]),
    ("الكود المتفق عليه مع المدرسة هو «زهرة الياسمين».", ["زهرة الياسمين"]),
    ("बच्चे को लेने वाले से कोड वर्ड पूछो, जवाब है “पीली चिड़िया”।", ["पीली चिड़िया"]),
    ("स्कूल का पासवर्ड ‘मीठा नीम’ है।", ["मीठा नीम"]),
    ("子どもの迎えの合言葉は「三日月パンケーキ」です。", ["三日月パンケーキ"]),
    ("金庫の秘密の言葉は「ひまわり畑」だよ。", ["ひまわり畑"]),
    ('아이 데리러 올 때 암호는 "보라색 코끼리"예요.', ["보라색 코끼리"]),
    ("비밀 단어는 ‘구름빵’입니다.", ["구름빵"]),
    ("接孩子的暗号是“紫色大象”。", ["紫色大象"]),
    ("进门的口令是「月亮走我也走」。", ["月亮走我也走"]),
    ("parola=kestane", ["kestane"]),
    ("sunucu=ankara", ["ankara"]),
    ("contraseña: membrillo", ["membrillo"]),
    ("mot_de_passe=coquelicot", ["coquelicot"]),
    ("passwort: sonnenblume", ["sonnenblume"]),
    ("benutzer: hansel", ["hansel"]),
    ("senha=jabuticaba", ["jabuticaba"]),
    ("usuario: lechuza", ["lechuza"]),
    ("servidor: aurora", ["aurora"]),
    ("пароль: ежевика", ["ежевика"]),
    ("密码: mudanhua", ["mudanhua"]),
    ("비밀번호=haebaragi", ["haebaragi"]),
    ("パスワード: himawari", ["himawari"]),
    ('"contraseña": "golondrina"', ["golondrina"]),
    ('"mot_de_passe": "pamplemousse"', ["pamplemousse"]),
    ("db_passwort = zwetschge", ["zwetschge"]),
    ("utilisateur: renard", ["renard"]),
    ("şifre=papatya", ["papatya"]),
    ("kullanici=balikci", ["balikci"]),
    ("sifre: menekse", ["menekse"]),
    ("utente=merlo", ["merlo"]),
    ("密码=Xk29dmw", ["Xk29dmw"]),
]
NOTHING = [
    "Il dit : « Bonjour tout le monde » et s'en alla.",
    "Cuando pregunten, di «no lo sé» y sonríe.",
    "彼は「おはようございます」と言って出て行った。",
    "彼女に名前を聞かれ、「秘密です」と答えた。",
    "그는 “안녕하세요 여러분”이라고 말했다.",
    "他说“今天天气很好”。",
    '"Savaş ve Barış" de okunmalı.',
    'Adam "merhaba dünya" dedi.',
    "يقول المثل «العلم في الصغر كالنقش في الحجر».",
    "Das Passwort ist leider abgelaufen.",
    "Le mot de passe est beaucoup trop court.",
    "La contraseña es obligatoria siempre.",
    "La parola d'ordine è prudenza.",
    "A senha é pessoal e intransferível.",
    "Пароль должен быть длинным.",
    "Parola sıfırlama bağlantısı gönderildi.",
    "Şifre en az sekiz karakter olmalı.",
    "Das Losungswort der Bewegung war Freiheit.",
    "Parola belirleme ekranı açılır.",
    "Şifre yöneticisi kullanıyorum.",
    "contraseña: string",
    "密码：必填",
    "パスワード：必須",
    "El hombre dijo: «nunca volveré a este pueblo», y cerró la puerta.",
    "Cuando le preguntan por su infancia, responde «fue una época feliz».",
    "Der alte Mann sagte: „Geh nach Hause, mein Kind“, und schwieg.",
    "Wenn man ihn fragt, antwortet er „das weiß ich nicht mehr“.",
    "Das Passwort muss mindestens zwölf Zeichen lang sein.",
    "Il contadino rispose: «domani pioverà» e tornò nei campi.",
    "La password deve contenere almeno una lettera maiuscola.",
    "Она сказала: «завтра будет дождь», и ушла.",
    "Пароль должен содержать буквы и цифры.",
    "Adam kapıyı açtı ve “hoş geldin dostum” dedi.",
    "Anahtar kelimeler metnin başında verilir.",
    "المعلم قال للطلاب «العلم نور والجهل ظلام» ثم خرج.",
    "बूढ़े आदमी ने कहा, “कल बारिश होगी” और चला गया।",
    "老人说：“明天会下雨的。”然后走了。",
    "老师问同学们：“谁能回答这个问题？”小明回答“我会做这道题”。",
    "おじいさんは「明日は雨だ」と言って寝てしまいました。",
    "母に行き先を聞かれ、「図書館に行く」と答えて家を出た。",
    "선생님이 “내일은 시험이 있다”라고 말씀하셨다.",
    '누가 물어보면 "모른다고 해라"라고 했다.',
    "Los alumnos preguntan y el profesor responde con «una sonrisa amable».",
    "Si vous demandez, dites « s'il vous plaît ».",
]
PIECES = [
    "口令回答“",
    "قل «",
    "암호 ‘가 나’라고 해",
    "parolası a ",
    "Passwort: a",
    "skazhi пароль «а б» скажи «",
]


@pytest.mark.parametrize(("text", "values"), STATED)
def test_phrase_is_found(text, values):
    assert found(text) == values


@pytest.mark.parametrize("text", NOTHING)
def test_what_tells_of_none_has_none(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "values"), STATED)
def test_pieces_change_nothing(text, values):
    assert found_in_pieces(text, 3) == values


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_text(piece):
    assert_linear(anchors_of, piece, 4_000)
