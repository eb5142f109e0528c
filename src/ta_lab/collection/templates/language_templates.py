"""Statements in twelve languages besides English (development)."""
# ruff: noqa: E501 - lines of text as they stand in a file

from .idiom_east_templates import EAST
from .idiom_west_templates import WEST

STATEMENTS: dict[str, tuple[str, ...]] = {
    "es": (
        "Para entrar en el portal hace falta la contraseña: ⟦!password/phrase|contraseña⟧",
        "El número de expediente es ⟦!record|número de expediente⟧, guárdelo bien.",
        "Teclea ⟦!pin/code|lo que hay que teclear⟧ en el panel y empuja la puerta.",
        "Mi hermana vive ahora en las coordenadas ⟦!coordinates|coordenadas⟧, cerca del molino.",
        "La transferencia va a la cuenta ⟦!iban|cuenta⟧, a nombre de la cooperativa.",
    ),
    "fr": (
        "Le mot de passe du wifi est « ⟦!phrase/words|mot de passe du wifi⟧ ».",
        "Merci de rappeler la référence de dossier : ⟦!record|référence de dossier⟧.",
        "Au digicode, tapez ⟦!pin/code|digicode⟧ puis montez au troisième.",
        "Le colis est suivi sous le numéro ⟦!digits/serial|numéro de suivi⟧.",
        "Vous pouvez joindre le gardien au ⟦!phone|téléphone du gardien⟧, même la nuit.",
    ),
    "de": (
        "Das Passwort für den Server lautet ⟦!password/phrase|Passwort⟧.",
        "Ihre Vorgangsnummer: ⟦!record|Vorgangsnummer⟧. Bitte bei Rückfragen angeben.",
        "Am Tor gibst du ⟦!pin/code|Torcode⟧ ein und wartest auf das Summen.",
        "Die Sicherung liegt unter ⟦!path|Sicherung⟧ und wird nachts erneuert.",
        "Überweisen Sie den Betrag bitte auf das Konto ⟦!iban|Konto⟧.",
    ),
    "it": (
        "La chiave di attivazione è ⟦!serial/id|chiave di attivazione⟧, valida per un anno.",
        "Codice prenotazione: ⟦!code/serial|codice prenotazione⟧",
        "Per aprire il cancello digita ⟦!pin|cancello⟧ e aspetta il segnale.",
        "Il nuovo indirizzo del server è ⟦!address/host|indirizzo del server⟧, quello vecchio è spento.",
    ),
    "pt": (
        "A senha do cofre ficou ⟦!pin/words|senha do cofre⟧, não conte a ninguém.",
        "Número do pedido: ⟦!record|número do pedido⟧",
        "Quando ligar para a oficina, diga ⟦!code|o que dizer⟧ e eles encontram o carro.",
        "O novo e-mail da contabilidade é ⟦!email|e-mail da contabilidade⟧.",
    ),
    "ru": (
        "Пароль от склада: ⟦!password/phrase|пароль от склада⟧",
        "Номер заявки — ⟦!record|номер заявки⟧, сохраните его до пятницы.",
        "Наберите ⟦!pin/code|код на двери⟧ на домофоне и поднимайтесь на пятый этаж.",
        "Резервная копия лежит на сервере ⟦!address/host|сервер⟧.",
        "Встреча перенесена на ⟦!time|время встречи⟧, место прежнее.",
    ),
    "ar": (
        "كلمة المرور الجديدة هي ⟦!password/phrase|كلمة المرور⟧ ولا تشاركها مع أحد.",
        "رقم الطلب: ⟦!record|رقم الطلب⟧",
        "لفتح الباب اكتب ⟦!pin/code|رمز الباب⟧ ثم اضغط على الزر الأخضر.",
        "يقع المخيم عند الإحداثيات ⟦!coordinates|الإحداثيات⟧ قرب الوادي.",
    ),
    "hi": (
        "नया पासवर्ड ⟦!password/phrase|पासवर्ड⟧ है, कृपया इसे किसी को न बताएं।",
        "आपकी शिकायत संख्या: ⟦!record|शिकायत संख्या⟧",
        "दरवाज़ा खोलने के लिए ⟦!pin/code|दरवाज़े का कोड⟧ दबाइए और रुकिए।",
        "गोदाम का फ़ोन नंबर ⟦!phone|फ़ोन नंबर⟧ है।",
    ),
    "tr": (
        "Kasanın şifresi ⟦!pin/phrase|kasanın şifresi⟧ olarak değiştirildi.",
        "Sipariş numarası: ⟦!record|sipariş numarası⟧",
        "Kapıdaki panele ⟦!code/pin|kapı kodu⟧ yazıp bekleyin.",
        "Yedekler artık ⟦!address/host|yedek sunucusu⟧ üzerinde tutuluyor.",
    ),
    "zh": (
        "会议室的密码是⟦!pin/code|会议室的密码⟧，请不要外传。",
        "订单编号：⟦!record|订单编号⟧",
        "到了门口先输入⟦!pin/code|门口要输入的内容⟧，再按绿色按钮。",
        "新的服务器地址为⟦!address/host|服务器地址⟧，旧的已经停用。",
        "他把“⟦!id/phrase|写在信封背面的内容⟧”写在了信封背面。",
    ),
    "ja": (
        "倉庫の暗証番号は⟦!pin|倉庫の暗証番号⟧です。忘れないでください。",
        "お問い合わせ番号：⟦!record|お問い合わせ番号⟧",
        "玄関のパネルに⟦!code/pin|玄関のパネルの番号⟧と入力すると開きます。",
        "バックアップは「⟦!path/url|バックアップの場所⟧」に保存しています。",
        "新しい連絡先は⟦!phone/email|連絡先⟧になりました。",
    ),
    "ko": (
        "서버 비밀번호는 ⟦!password/phrase|서버 비밀번호⟧입니다.",
        "주문 번호: ⟦!record|주문 번호⟧",
        "현관에서 ⟦!pin/code|현관 번호⟧ 누르고 들어오세요.",
        "새 담당자의 메일은 ⟦!email|담당자 메일⟧이고 전화는 없습니다.",
    ),
}
LANGUAGES = {lang: (*texts, *{**WEST, **EAST}[lang]) for lang, texts in STATEMENTS.items()}
