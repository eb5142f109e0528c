"""Names of networks, servers and databases in twelve languages, their passwords, and ports."""

from __future__ import annotations

import pytest

from found_values import anchors_of, found, found_in_pieces
from growing import assert_linear

STATED = [
    ("اسم الشبكة Zaytoun_Home وكلمة المرور qahwa#1974.", ["Zaytoun_Home", "qahwa#1974"]),
    ("شبكة الواي فاي اسمها BeitJiddo والباسورد laymoun-55.", ["BeitJiddo", "laymoun-55"]),
    ("قاعدة البيانات اسمها orders_new.", ["orders_new"]),
    ("无线网络名称是Lotus_Guest，密码lianhua@88。", ["Lotus_Guest", "lianhua@88"]),
    ("Wi-Fi叫TP-Tea-5G，密码是chaye#2020。", ["TP-Tea-5G", "chaye#2020"]),
    ("数据库叫crm_shadow，账号reader_x。", ["crm_shadow", "reader_x"]),
    ("服务器名字叫kunlun-02。", ["kunlun-02"]),
    ("WiFi名はSakura_Cafe、パスワードはmochi!mochi9です。", ["Sakura_Cafe", "mochi!mochi9"]),
    ("Wi-Fiの名前はhanare-2Fです。", ["hanare-2F"]),
    ("データベース名はurikake_newだよ。", ["urikake_new"]),
    (
        "와이파이 이름은 Haneul_Cafe이고 비밀번호는 kimchi!2030이에요.",
        ["Haneul_Cafe", "kimchi!2030"],
    ),
    ("와이파이는 Gureum_5G, 비번은 gureum*77입니다.", ["Gureum_5G", "gureum*77"]),
    ("데이터베이스 이름은 sales_v2예요.", ["sales_v2"]),
    ("वाई-फ़ाई का नाम Aangan_Guest है और पासवर्ड chai@garam9 है।", ["Aangan_Guest", "chai@garam9"]),
    ("नेटवर्क का नाम Gulmohar-2G है।", ["Gulmohar-2G"]),
    ("Kablosuz ağın adı Lale-Misafir, şifresi kahve_keyfi_12.", ["Lale-Misafir", "kahve_keyfi_12"]),
    ("Wi-Fi adı Deniz_Evi, parolası ise martı*sesi7.", ["Deniz_Evi", "martı*sesi7"]),
    (
        "Das WLAN heißt Kastanie-Gast, das Passwort ist apfel!kuchen5.",
        ["Kastanie-Gast", "apfel!kuchen5"],
    ),
    (
        "Le réseau s'appelle Mimosa_Invites et le mot de passe est galet#bleu7.",
        ["Mimosa_Invites", "galet#bleu7"],
    ),
    (
        "La red se llama Azahar_Huespedes y la clave es pan-con-aceite9.",
        ["Azahar_Huespedes", "pan-con-aceite9"],
    ),
    ("La wifi se llama CasaLimon.", ["CasaLimon"]),
    (
        "La rete si chiama Ginestra_Ospiti, la password è sale+pepe22.",
        ["Ginestra_Ospiti", "sale+pepe22"],
    ),
    (
        "A rede chama-se Alecrim_Visitas e a senha é bolo-de-mel3.",
        ["Alecrim_Visitas", "bolo-de-mel3"],
    ),
    (
        "Сеть называется Ryabina_Guest, пароль chai-s-limonom7.",
        ["Ryabina_Guest", "chai-s-limonom7"],
    ),
    ("Имя сети Dacha_5G, пароль malina_2019.", ["Dacha_5G", "malina_2019"]),
    ("无线网叫“竹影茶社”，密码Han!Lu#霜，自己收好。", ["竹影茶社", "Han!Lu#霜"]),
    ("后台口令Yun&Shan@home。", ["Yun&Shan@home"]),
    ("Имя сети — «Дача у реки».", ["Дача у реки"]),
    ("后台口令Yun&Shan@home。", ["Yun&Shan@home"]),
    ("密码Han!Lu#霜，自己收好。", ["Han!Lu#霜"]),
    ("パスワードはmochi&anko@庭。", ["mochi&anko@庭"]),
    ("パスワードはmochi&anko@です", ["mochi&anko@"]),
    ("パスワードはMochi#ankoです。", ["Mochi#anko"]),
    ("비밀번호는 Kim&chi! 이에요.", ["Kim&chi!"]),
    ("Red wifi: Hotel_Sol_5G, contraseña: playa2024!", ["Hotel_Sol_5G", "playa2024!"]),
    ("Wifi: Maison-Bleue / mot de passe: lavande34", ["Maison-Bleue", "lavande34"]),
    ("El servidor de correo se llama mx-sevilla.", ["mx-sevilla"]),
    ("La base de datos se llama clientes_prod.", ["clientes_prod"]),
    ("Die Datenbank heißt kunden_alt.", ["kunden_alt"]),
    ("База данных называется sklad_main.", ["sklad_main"]),
    ("Veritabanının adı stok_yedek.", ["stok_yedek"]),
    ("服务器名称：beijing-node-3", ["beijing-node-3"]),
    ("数据库的名字叫order_center，别写错。", ["order_center"]),
    ("손님용 와이파이는 Bada_Guest이고 비번은 pado#77이야.", ["Bada_Guest", "pado#77"]),
    ("मेहमानों के लिए वाई-फाई Kothi_Guest है, पासवर्ड aam@ras22।", ["Kothi_Guest", "aam@ras22"]),
    ("واي فاي الضيوف Dar_Guest والرقم السري shams2023.", ["Dar_Guest", "shams2023"]),
    ("Panel 3100 portunda açık.", ["3100"]),
    ("服务跑在5601端口上。", ["5601"]),
    ("서비스는 5601 포트에서 돌아가요.", ["5601"]),
]
NOTHING = [
    "الشبكة الاجتماعية التي نستخدمها تتعلق بموقع YouTube كثيرًا.",
    "网络上很多人叫 Tom-Cruise 阿汤哥。",
    "这个网络公司叫什么名字？",
    "En la red se llama a votar.",
    "Le réseau s'appelle simplement réseau.",
    "Das Netz heißt Internet.",
    "서버 이름은 정하지 않았다.",
    "密码必须包含!@#$%等符号。",
    "密码!!!!!!怎么办",
    "密码是***。",
    "共有24个端口。",
    "48포트 스위치를 샀다.",
    "USBポートが2つあります。",
]
PIECES = ["الشبكة اسمها ", "无线网叫“", "密码a!", "Das WLAN heißt A_"]


@pytest.mark.parametrize(("text", "values"), STATED)
def test_name_is_found(text, values):
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
