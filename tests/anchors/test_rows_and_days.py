"""Several numbered places in a row, and days of the week with their clocks, are one value each."""

from __future__ import annotations

import pytest
ENSEMBLE = ("values",)

from found_values import found, found_in_pieces, parted
from growing import assert_linear
from transactional_attention.detection.scanner import Scanner

ROWS = (
    r"客人住⟦东楼3层312⟧，别走错。",
    r"우리 자리는 ⟦2층 C구역 5열 14번⟧이야.",
    r"新幹線は⟦9号車4番A席⟧です。",
    r"席は⟦2階C列14番⟧だよ。",
    r"車は⟦地下2階Dブロック37番⟧に停めた。",
    r"会場は⟦西館3階305号室⟧です。",
    r"会議は⟦桜ビル5階⟧でやります。",
    r"座位是⟦6车12座⟧，别坐错。",
    r"我们在⟦第8排15座⟧。",
    r"车停⟦B3层D区217⟧。",
    r"车在⟦负一层A12⟧，靠电梯。",
    r"她家住⟦翠竹苑6号楼2单元1103⟧，门口有花。",
    r"搬到⟦柳荫街七号院二单元三〇二⟧了。",
    r"좌석은 ⟦5호차 12A⟧예요.",
    r"차는 ⟦지하 2층 C구역 118번⟧에 있어요.",
    r"우리 집은 ⟦한빛아파트 103동 1502호⟧야.",
    r"차는 ⟦B1 주차장 C-12⟧에 세웠어.",
    r"차는 ⟦B2 나-17⟧ 기둥 옆에 있어요.",
    r"자리는 ⟦나열 14번⟧이야.",
    r"연습실은 ⟦달빛빌딩 4층⟧이에요.",
    r"Biletim ⟦3. vagon 7B⟧, sen nerede?",
    r"Yerim ⟦2. vagon, 14. koltuk⟧ diye yazıyor.",
    r"Arabayı ⟦kat 3 blok B⟧ tarafına bıraktım.",
    r"У меня ⟦вагон 7, место 21⟧, а у тебя?",
    r"Наши места: ⟦5-й вагон, 12 место⟧.",
    r"Наши места — ⟦ряд 14, место 7⟧.",
    r"Ich sitze in ⟦Wagen 12, Platz 45⟧, komm rüber.",
    r"Nos places : ⟦voiture 14, place 62⟧.",
    r"Mi sitio es ⟦coche 5, asiento 12A⟧.",
    r"Siamo in ⟦carrozza 7, posto 12D⟧.",
    r"O meu é ⟦carruagem 21, lugar 87⟧.",
    r"حجزت ⟦العربة ٥ المقعد ١٢⟧ لك.",
    r"السيارة في ⟦الطابق 2، العمود 17⟧ قرب المصعد.",
    r"मेरी सीट ⟦कोच B4 सीट 32⟧ है।",
    r"We are in ⟦coach C, seat 41⟧, come over.",
    r"It's on ⟦aisle 14, shelf 3⟧.",
)
DAYS = (
    r"موعدنا يوم ⟦الأربعاء ٩ آذار الساعة ١١:٣٠ صباحًا⟧ في العيادة.",
    r"اللقاء ⟦الخميس الساعة ٤:١٥ مساءً⟧ عند النافورة.",
    r"अपॉइंटमेंट ⟦शुक्रवार को सुबह 9:50 बजे⟧ है।",
    r"मिलना ⟦मंगलवार 14 मई को शाम 6:15 बजे⟧ तय हुआ।",
    r"Встретимся в ⟦пятницу в 9:50⟧ у входа.",
    r"Приём перенесли на ⟦вторник, 14 мая, в 16:20⟧.",
    r"A consulta ficou para ⟦quinta, dia 8, às 14h30⟧.",
    r"Reunião na ⟦segunda-feira às 9h15⟧.",
    r"La cita es el ⟦martes 6 de mayo a las 10:40⟧.",
    r"Nos vemos el ⟦viernes a las 17:15⟧.",
    r"On se voit ⟦jeudi 8 à 14h45⟧.",
    r"Rendez-vous ⟦mardi à 9h20⟧ au guichet.",
    r"Termin ist ⟦Freitag um 9:50 Uhr⟧.",
    r"Der Zug fährt nicht um 8:12, sondern um ⟦8:37 Uhr⟧, ich hatte falsch geschaut.",
    r"Wir treffen uns am ⟦Dienstag, den 3.6. um 18:15⟧.",
    r"Ci vediamo ⟦venerdì alle 15:40⟧.",
    r"Randevu ⟦cuma saat 14:30⟧ için.",
    r"Doktor ⟦Perşembe günü saat 10.45⟧'te bekliyor.",
    r"面试在⟦下周三下午三点二十⟧。",
    r"手术定在⟦三月六日上午九点四十⟧。",
    r"周会改到⟦周五15:30⟧。",
    r"外婆的体检改到⟦腊月初六下午两点⟧。",
    r"手術は⟦十一月四日の午前八時⟧からです。",
    r"面談は⟦金曜の15:30⟧です。",
    r"集合は⟦来週水曜日の午後2時15分⟧です。",
    r"면접은 ⟦금요일 오후 3시 20분⟧이에요.",
    r"진료는 ⟦5월 8일 목요일 오전 10시 40분⟧입니다.",
)
OTHERWISE = (
    r"一共有三层楼，五号线和六号线换乘。",
    r"他住了十座三层小楼。",
    r"3号去，5号回来。",
    r"第3回大会で2番目になった。",
    r"3층 건물이고 2번 다녀왔어요.",
    r"三楼四楼都满了。",
    r"Level 3 was hard, and row 2 of the table.",
    r"Es gab Platz 1 und Platz 2 für das Team.",
    r"Le niveau 3 est atteint. La place 2 est libre.",
    r"Он занял 2 место и 3 место.",
    r"Es war an einem Freitag, und Montag 20 Leute kamen.",
    r"В пятницу 13 человек пришли.",
    r"金曜日の夜は静かだ。",
    r"El viernes 13 personas llegaron.",
)


@pytest.mark.parametrize("statement", ROWS + DAYS)
def test_the_value_is_found_whole(statement):
    text, value = parted(statement)
    assert value in found(text)


@pytest.mark.parametrize("text", OTHERWISE)
def test_what_only_looks_so_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize("statement", ROWS + DAYS)
def test_pieces_change_nothing(statement):
    text, _ = parted(statement)
    assert found_in_pieces(text, 3) == found(text)


@pytest.mark.parametrize(
    "piece",
    [
        "3号楼",
        "1层A",
        "三楼",
        "2층 ",
        "вагон 7, ",
        "место 1 ",
        "5. vagon ",
        "周五15",
        "пятницу в 9",
        "quinta, dia 8, ",
    ],
)
def test_time_grows_with_the_text(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 4000)
