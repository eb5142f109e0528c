"""Phrases of Russian, Polish, Turkish, Arabic and Hindi."""

from __future__ import annotations

from .phrases import Phrases, labels

RUSSIAN = Phrases(
    {
        "m": {"which": "какой ", "my": "мой ", "given": "указан"},
        "f": {"which": "какая ", "my": "моя ", "given": "указана"},
        "n": {"which": "какое ", "my": "моё ", "given": "указано"},
    },
    labels(
        "m код от двери|m код доступа|m ключ API|m пароль|m идентификатор сессии|m номер заказа|"
        "m номер отслеживания|m номер комнаты|m номер телефона|m номер счёта|"
        "m номер счёта-фактуры|m токен доступа|m адрес сервера|m порт|n имя пользователя|"
        "m PIN-код|m номер билета|m госномер автомобиля|m лицензионный ключ|m код активации|"
        "m номер клиента|m номер рейса|m номер брони|m пароль от Wi-Fi|"
        "m путь к файлу конфигурации|m коммит|f версия>версию|f дата приёма>дату приёма|"
        "m серийный номер|m код подтверждения"
    ),
    (
        "{Label}: {value}",
        "{Label} — {value}.",
        "{Label} - {value}",
        "Запомни: {label} — {value}.",
        "Мне сказали, что {label} — {value}.",
        "Обрати внимание: {label} — {value}.",
        "{value} — это {label}.",
        "Запиши {acc}: {value}",
        "{My}{label} — {value}.",
        "Вот {label}: {value}",
        "Напоминаю, что {label} сейчас {value}.",
        "Олег написал, что {label} теперь {value}.",
        "ВАЖНО: {label} — {value}",
    ),
    (
        "\n\n{Which}{label}?",
        "\n\nНазови {acc}.",
        "\n\nВопрос: {which}{label}?\nОтвет:",
        "\n\n{Label} —",
        "\n\nНапомни {acc}, пожалуйста.",
        "\n\nПовтори {acc}:",
        "\n\n{Which}{label} {given} в тексте выше?",
        "\n\nПодскажи, {which}{label}?",
        "\n\nСкажи мне {acc}.",
        "\nВ: {Which}{label}?\nО:",
    ),
)

POLISH = Phrases(
    {
        "m": {"which": "jaki ", "was": "był", "my": "mój "},
        "f": {"which": "jaka ", "was": "była", "my": "moja "},
        "n": {"which": "jakie ", "was": "było", "my": "moje "},
    },
    labels(
        "m kod do drzwi|m kod dostępu|m klucz API|n hasło|m identyfikator sesji|"
        "m numer zamówienia|m numer przesyłki|m numer pokoju|m numer telefonu|m numer konta|"
        "m numer faktury|m token dostępu|m adres serwera|m port|"
        "f nazwa użytkownika>nazwę użytkownika|m kod PIN|m numer biletu|m numer rejestracyjny|"
        "m klucz licencyjny|m kod aktywacyjny|m numer klienta|m numer lotu|m numer rezerwacji|"
        "n hasło do Wi-Fi|f ścieżka pliku konfiguracyjnego>ścieżkę pliku konfiguracyjnego|"
        "m commit|f wersja>wersję|f data wizyty>datę wizyty|m numer seryjny|m kod potwierdzenia"
    ),
    (
        "{Label}: {value}",
        "{Label} to {value}.",
        "{Label} to: {value}",
        "Pamiętaj, że {label} to {value}.",
        "Powiedziano mi, że {label} to {value}.",
        "Uwaga: {label} to {value}.",
        "{value} to {label}.",
        "Zapisz {acc}: {value}",
        "{My}{label} to {value}.",
        "Oto {label}: {value}",
        "Przypominam, że {label} to teraz {value}.",
        "Kasia napisała, że {label} to {value}.",
    ),
    (
        "\n\n{Which}jest {label}?",
        "\n\n{Which}{was} {label}?",
        "\n\nPodaj {acc}.",
        "\n\nPytanie: {Which}jest {label}?\nOdpowiedź:",
        "\n\n{Label} to:",
        "\n\nPrzypomnij mi {acc}.",
        "\n\nPowtórz {acc}:",
        "\n\n{Which}jest {label} według tekstu?",
        "\n\nCzy możesz mi podać {acc}?",
        "\nP: {Which}jest {label}?\nO:",
    ),
)

TURKISH = Phrases(
    {},
    labels(
        "kapı kodu>kapı kodunu|erişim kodu>erişim kodunu|API anahtarı>API anahtarını|"
        "parola>parolayı|oturum kimliği>oturum kimliğini|sipariş numarası>sipariş numarasını|"
        "takip numarası>takip numarasını|oda numarası>oda numarasını|"
        "telefon numarası>telefon numarasını|hesap numarası>hesap numarasını|"
        "fatura numarası>fatura numarasını|erişim jetonu>erişim jetonunu|"
        "sunucu adresi>sunucu adresini|port numarası>port numarasını|"
        "kullanıcı adı>kullanıcı adını|PIN kodu>PIN kodunu|bilet numarası>bilet numarasını|"
        "araç plakası>araç plakasını|lisans anahtarı>lisans anahtarını|"
        "etkinleştirme kodu>etkinleştirme kodunu|müşteri numarası>müşteri numarasını|"
        "uçuş numarası>uçuş numarasını|rezervasyon kodu>rezervasyon kodunu|"
        "Wi-Fi parolası>Wi-Fi parolasını|"
        "yapılandırma dosyasının yolu>yapılandırma dosyasının yolunu|"
        "commit kimliği>commit kimliğini|sürüm numarası>sürüm numarasını|"
        "randevu tarihi>randevu tarihini|seri numarası>seri numarasını|onay kodu>onay kodunu",
        kinds=False,
    ),
    (
        "{Label}: {value}",
        "{Label} şu: {value}",
        "{Label} {value} olarak belirlendi.",
        "Unutma, {label} {value}.",
        "Bana söylendiğine göre {label} {value}.",
        "Not: {label} {value}.",
        "{value}: {label} bu.",
        "{Acc} not et: {value}",
        "İşte {label}: {value}",
        "Aklında olsun, {label} {value}.",
        "Ayşe {acc} {value} olarak bildirdi.",
        "Önemli: {label} artık {value}.",
    ),
    (
        "\n\n{Label} nedir?",
        "\n\n{Label} neydi?",
        "\n\nBana {acc} söyle.",
        "\n\nSoru: {Label} nedir?\nCevap:",
        "\n\n{Label} şudur:",
        "\n\n{Acc} hatırlatır mısın?",
        "\n\n{Acc} tekrar et:",
        "\n\nMetne göre {label} nedir?",
        "\n\nYukarıdaki metinde geçen {label} nedir?",
        "\n\nLütfen {acc} yaz:",
        "\nS: {Label} nedir?\nC:",
    ),
)

ARABIC = Phrases(
    {"m": {"is": "هو", "given": "المذكور"}, "f": {"is": "هي", "given": "المذكورة"}},
    labels(
        "m رمز الباب|m رمز الدخول|m مفتاح API|f كلمة المرور|m معرّف الجلسة|m رقم الطلب|"
        "m رقم التتبع|m رقم الغرفة|m رقم الهاتف|m رقم الحساب|m رقم الفاتورة|m رمز الوصول|"
        "m عنوان الخادم|m المنفذ|m اسم المستخدم|m رمز PIN|m رقم التذكرة|m رقم لوحة السيارة|"
        "m مفتاح الترخيص|m رمز التفعيل|m رقم العميل|m رقم الرحلة|m رقم الحجز|"
        "f كلمة مرور الواي فاي|m مسار ملف الإعدادات|m معرّف الكوميت|m رقم الإصدار|"
        "m تاريخ الموعد|m الرقم التسلسلي|m رمز التأكيد"
    ),
    (
        "{label}: {value}",
        "{label} {is} {value}.",
        "{label} {is}: {value}",
        "تذكّر أن {label} {is} {value}.",
        "قيل لي إن {label} {is} {value}.",
        "ملاحظة: {label} {is} {value}.",
        "{value} {is} {label}.",
        "احفظ {label}: {value}",
        "سجّل عندك {label}: {value}",
        "إليك {label}: {value}",
        "أخبرتني ليلى أن {label} {is} {value}.",
        "للتذكير، {label} {is} {value}، فلا تضيّعه.",
        "هام: {label} {is} {value}",
    ),
    (
        "\n\nما {is} {label}؟",
        "\n\nأخبرني ما {is} {label}.",
        "\n\nاذكر {label}.",
        "\n\nسؤال: ما {is} {label}؟\nجواب:",
        "\n\n{label} {is}:",
        "\n\nأعد كتابة {label}:",
        "\n\nذكّرني، ما {is} {label}؟",
        "\n\nما {is} {label} {given} في النص أعلاه؟",
        "\n\nبحسب النص، ما {is} {label}؟",
        "\n\nاكتب {label} من فضلك:",
        "\nس: ما {is} {label}؟\nج:",
    ),
)

HINDI = Phrases(
    {
        "m": {"my": "मेरा ", "was": "था", "here": "यह रहा "},
        "f": {"my": "मेरी ", "was": "थी", "here": "यह रही "},
    },
    labels(
        "m दरवाज़े का कोड|m एक्सेस कोड|f API कुंजी|m पासवर्ड|f सेशन आईडी|m ऑर्डर नंबर|"
        "m ट्रैकिंग नंबर|m कमरा नंबर|m फ़ोन नंबर|m खाता नंबर|m इनवॉइस नंबर|m एक्सेस टोकन|"
        "m सर्वर का पता|m पोर्ट|m यूज़रनेम|m पिन|m टिकट नंबर|m गाड़ी का नंबर|f लाइसेंस कुंजी|"
        "m एक्टिवेशन कोड|m ग्राहक नंबर|m फ़्लाइट नंबर|m बुकिंग रेफ़रेंस|m वाई-फ़ाई पासवर्ड|"
        "m कॉन्फ़िगरेशन फ़ाइल का पाथ|m कमिट|m वर्ज़न|f अपॉइंटमेंट की तारीख|m सीरियल नंबर|"
        "m कन्फ़र्मेशन कोड"
    ),
    (
        "{label}: {value}",
        "{label} {value} है।",
        "{label} है: {value}",
        "याद रखना कि {label} {value} है।",
        "मुझे बताया गया कि {label} {value} है।",
        "ध्यान दें: {label} {value} है।",
        "{value} ही {label} है।",
        "नोट कर लो, {label} {value} है।",
        "{my}{label} {value} है।",
        "{here}{label}: {value}",
        "नेहा ने फ़ोन पर कहा कि {label} अब {value} है।",
        "ज़रूरी सूचना: {label} — {value}",
    ),
    (
        "\n\n{label} क्या है?",
        "\n\n{label} क्या {was}?",
        "\n\nमुझे {label} बताओ।",
        "\n\nसवाल: {label} क्या है?\nजवाब:",
        "\n\n{label} है:",
        "\n\nक्या आप {label} दोहरा सकते हैं?",
        "\n\n{label} लिखिए:",
        "\n\nऊपर के लेख के अनुसार {label} क्या है?",
        "\n\nकृपया {label} बताइए।",
        "\nप्र: {label} क्या है?\nउ:",
    ),
)
