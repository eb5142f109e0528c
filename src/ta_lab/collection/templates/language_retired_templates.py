"""RETIRED SPLIT: the test split until it was scored; since then it is for development too."""
# ruff: noqa: E501 - lines of text as they stand in a file

LANGUAGES: dict[str, tuple[str, ...]] = {
    "es": (
        "Apunta la clave del almacén, es ⟦!pin/phrase|clave del almacén⟧.",
        "Código de reserva: ⟦!code/serial|código de reserva⟧",
        "El taller pregunta siempre por ⟦!serial|lo que pregunta el taller⟧ antes de abrir el motor.",
    ),
    "fr": (
        "Le code du coffre, c'est ⟦!pin/code|code du coffre⟧, ne l'égare pas.",
        "N° de contrat : ⟦!record|numéro de contrat⟧",
        "Le serveur de secours répond désormais à l'adresse ⟦!address/host|serveur de secours⟧.",
    ),
    "de": (
        "Der neue Zugangsschlüssel ist ⟦!token/id|Zugangsschlüssel⟧, der alte gilt nicht mehr.",
        "Kundennr.: ⟦!digits/serial|Kundennummer⟧",
        "Auf dem Zettel am Kühlschrank steht ⟦!code/pin|Zettel am Kühlschrank⟧.",
    ),
    "it": (
        "La parola d'ordine di stasera è ⟦!words/phrase|parola d'ordine⟧.",
        "Numero di pratica: ⟦!record|numero di pratica⟧",
        "Il bonifico va fatto su ⟦!iban|conto del bonifico⟧ entro lunedì.",
    ),
    "pt": (
        "O código do portão passou a ser ⟦!pin/code|código do portão⟧.",
        "Protocolo de atendimento: ⟦!record|protocolo⟧",
        "O barco está parado em ⟦!coordinates|posição do barco⟧ desde ontem.",
    ),
    "ru": (
        "Ключ доступа теперь такой: ⟦!token/id|ключ доступа⟧",
        "Ваш номер брони ⟦!code/serial|номер брони⟧, покажите его на входе.",
        "На обороте фотографии было написано ⟦!digits/code|надпись на фотографии⟧.",
    ),
    "ar": (
        "الرمز السري للخزنة هو ⟦!pin|الرمز السري⟧.",
        "رقم الحجز: ⟦!code/serial|رقم الحجز⟧",
        "للتواصل مع الحارس ليلا اتصل على ⟦!phone|هاتف الحارس⟧.",
    ),
    "hi": (
        "तिजोरी का पिन ⟦!pin|तिजोरी का पिन⟧ रखा गया है।",
        "बुकिंग संदर्भ: ⟦!record|बुकिंग संदर्भ⟧",
        "फ़ाइल अब ⟦!path/url|फ़ाइल की जगह⟧ पर मिलेगी।",
    ),
    "tr": (
        "Yönetici parolası: ⟦!password/phrase|yönetici parolası⟧",
        "Randevu kodunuz ⟦!code/serial|randevu kodu⟧, lütfen saklayın.",
        "Tekne şu anda ⟦!coordinates|teknenin yeri⟧ noktasında demirli.",
    ),
    "zh": (
        "保险箱密码改成了⟦!pin/phrase|保险箱密码⟧。",
        "快递单号：⟦!digits/serial|快递单号⟧",
        "照片背面写着⟦!code/digits|照片背面的字⟧，没有别的说明。",
    ),
    "ja": (
        "管理者のパスワードは「⟦!password/phrase|管理者のパスワード⟧」に変わりました。",
        "予約番号：⟦!code/serial|予約番号⟧",
        "封筒の裏に⟦!digits/code|封筒の裏の文字⟧と書いてありました。",
    ),
    "ko": (
        "금고 비밀번호가 ⟦!pin/phrase|금고 비밀번호⟧로 바뀌었어요.",
        "예약 번호: ⟦!code/serial|예약 번호⟧",
        "사진 뒷면에 ⟦!digits/code|사진 뒷면의 글자⟧라고 적혀 있었습니다.",
    ),
}
