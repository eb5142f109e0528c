"""Values in scripts other than Latin and in full-width text: digits, paths, codes, sums, hosts and
places in degrees are found whole."""

from __future__ import annotations

import pytest
from transactional_attention.detection.ensemble import ENSEMBLE

from found_values import found, found_in_pieces, parted
from growing import assert_linear
from transactional_attention.detection.scanner import Scanner

DIGITS = (
    r"会費は⟦１２，３４５円⟧です。",
    r"暗証番号は⟦４７１９⟧です。",
    r"口座番号は⟦７３０２９１８⟧だそうです。",
    r"电话是⟦０２１－５５５０３３９１⟧，晚上打。",
    r"门禁改成⟦８８３１７⟧，别用旧的。",
    r"見積番号は⟦ＡＢ－７７３１⟧です。",
    r"内線は⟦７３２５⟧、担当は佐藤です。",
    r"دفعنا ⟦٣٬٤٥٠ ريالًا⟧ مقابل القاعة.",
    r"رقم الهاتف ⟦٠٥٥٣٣٩٨٢١٠⟧ للتواصل.",
    r"البوابة تفتح بالرقم ⟦٤٤٧١⟧ بعد العشاء.",
    r"القضية رقم ⟦٣٣١٢ لسنة ٢٠٢٣⟧ أمام المحكمة.",
    r"お客様番号は「⟦も-3308-612⟧」です。",
    r"कुल ⟦₹४,५७५⟧ जमा कर दिए।",
    r"ताले का नंबर ⟦४७१९⟧ है।",
)
PATHS = (
    r"Договор в папке ⟦\\srv-docs\Юристы\2025\аренда офиса.docx⟧.",
    r"模型放在⟦D:\模型\权重_最终.zip⟧，拷走就行。",
    r"احفظ الملف في ⟦/home/سامي/فواتير/ديسمبر.xlsx⟧ قبل الظهر.",
    r"النسخة في ⟦D:\مشاريع 2024\العقد النهائي.docx⟧ فقط.",
    r"वह फ़ाइल ⟦/mnt/शेयर/रिपोर्ट/तिमाही_३.pdf⟧ पर है।",
    r"सब ⟦E:\तस्वीरें\शादी⟧ में रखा है।",
    r"資料は⟦\\fs01\総務\規程\就業規則.docx⟧にあります。",
    r"議事録は⟦/mnt/nas2/共有/議事録⟧に置きました。",
    r"⟦~/デスクトップ/お知らせ.pdf⟧を見て。",
    r"日志放在⟦/var/log/业务/错误.log⟧里，记得看。",
    r"备份放到⟦/backup/财务⟧了，别删。",
    r"사진은 ⟦/mnt/백업/사진⟧에 있어요.",
    r"계약서는 ⟦C:\문서\계약\최종본.hwp⟧로 저장했어요.",
    r"파일은 ⟦\\nas\공유\회의록_0312.docx⟧입니다.",
    r"Файл лежит в ⟦/srv/Договоры/аренда.pdf⟧ уже неделю.",
    r"הקובץ ב ⟦/srv/חוזים/סופי.pdf⟧ תודה.",
    r"ไฟล์อยู่ที่ ⟦/srv/บัญชี/งบ.xlsx⟧ นะ",
)
CODES = (
    r"رقم الطلب هو #⟦55208813⟧ فقط.",
    r"رقم العقد ⟦ع-٢٠٢٥-٣٣١⟧ محفوظ لدى المحامي.",
    r"الطاولة محجوزة تحت ⟦د-٨١٩⟧ باسم العائلة.",
    r"رقم الملف ⟦س/٤٤١٢/ح⟧ في الأرشيف.",
    r"سيارتي واقفة عند العمود ⟦هـ-١٤⟧ قرب المصعد.",
    r"المقعد ⟦١٢أ⟧ بجانب الممر.",
    r"رقم الفاتورة ⟦٧٧٤١-٣٣٢-ب⟧ من أجل الضمان.",
    r"मेरा खाता संख्या ⟦केएन-४४८१०⟧ है।",
    r"फ़ाइल क्रमांक ⟦२०२५/प्र/८८१⟧ देख लेना।",
    r"रसीद ⟦आरएस-77120⟧ संभालकर रखना।",
    r"차는 ⟦B2 나-17⟧ 기둥 옆에 있어요.",
    r"문서번호는 ⟦제2025-114호⟧입니다.",
    r"접수번호 ⟦가-20418⟧ 기억해 주세요.",
    r"공고 ⟦제-3307호⟧를 확인하세요.",
    r"사건번호는 ⟦2024가단51823⟧이에요.",
    r"病歴番号は⟦い-4471⟧です。",
    r"整理券は⟦あ-83⟧でした。",
    r"ロッカーは⟦ろ-12⟧です。",
    r"档案号⟦丙-0381⟧，别弄丢。",
    r"案号是⟦（2024）沪0105民初8812号⟧。",
    r"Дело № ⟦А40-118273/2024⟧ передали.",
    r"Талон ⟦Б-0472⟧ на завтра.",
    r"Место ⟦14Б⟧ у окна.",
    r"Договор ⟦ДП-2291/К⟧ подписан.",
    r"Esas numarası ⟦2024/551 E.⟧ oldu.",
    r"المقعد ⟦١٢أ⟧ بجانب الممر.",
    r"Место ⟦14Б⟧ у окна.",
    r"نحن في الشقة ⟦٤٧⟧ قرب السوق.",
)
SUMS = (
    r"押金交了⟦壹万陆仟伍佰元整⟧，收据在抽屉。",
    r"房租讲好⟦两千八百元⟧一个月。",
    r"尾款还欠⟦三万五千块⟧。",
    r"会費は⟦三万五千円⟧に決まりました。",
    r"町内会費は⟦１８，０００円⟧で話がついたよ。",
    r"보증금은 ⟦이천오백만 원⟧으로 정했어요.",
    r"계약금은 ⟦3만5천 원⟧ 냈어.",
    r"전세금은 ⟦1억 4,500만 원⟧으로 정했어요.",
    r"축의금은 ⟦이십삼만 원⟧으로 맞췄다.",
    r"دفعت ⟦٤٬٢٥٠ درهمًا⟧ نقدًا.",
    r"استلمت ⟦1,875 دينارًا⟧ أمس.",
    r"कुल ⟦२,७५० रुपये⟧ दिए।",
    r"किराया ⟦₹ ८,४५०⟧ तय हुआ।",
)
PLACES = (
    r"프록시가 ⟦proxy-old.dasom.local⟧에서 바뀌었습니다.",
    r"新しいサーバーは⟦wiki-dev.hanare.lan⟧に移りました。",
    r"邮件服务器换成⟦mail-out.qinghe.internal⟧了。",
    r"监控在⟦grafana-new.qinghe.example⟧上看。",
    r"Tekne ⟦37.0412 K, 27.4301 D⟧ noktasında.",
    r"Tam konum ⟦36.8121° K, 30.7045° D⟧.",
    r"Estamos en ⟦40.4168 N, 3.7038 O⟧ ahora.",
    r"位置是⟦北纬31.2304°，东经121.4737°⟧。",
    r"場所は⟦北緯35.6895度、東経139.6917度⟧です。",
    r"위치는 ⟦북위 37.5665도, 동경 126.9780도⟧입니다.",
    r"الموقع ⟦24.7136, 46.6753⟧ تمامًا.",
    r"الموقع ⟦٢٤٫٧١٣٦، ٤٦٫٦٧٥٣⟧ تمامًا.",
    r"Координаты: ⟦55.7558° с. ш., 37.6173° в. д.⟧",
)
OTHERWISE = (
    r"男/女/其他都可以。",
    r"和/或/与的用法。",
    r"경기/강원/충청 지역입니다.",
    r"هو/هي/هم من الضمائر.",
    r"他说 男/女/其他 都行。",
    r"ولد سنة ١٩٤٥م وتوفي سنة ١٤١٠هـ بعد مرض.",
    r"المادة ٥ والفقرة ٣.",
    r"उसने 10-12 लोग बुलाए।",
    r"3-4월에 가요. 10-20대 여성이 많아요. 제-3자는 아니다.",
    r"第3章と第-4節。",
    r"这家公司有十几万元资产，一百元纸币很新。",
    r"그 영화는 동물원에서 찍었다. 병원 삼십 곳.",
    r"百円ショップで払った。",
)
STATED = DIGITS + PATHS + CODES + SUMS + PLACES


@pytest.mark.parametrize("statement", STATED)
def test_the_value_is_found_whole(statement):
    text, value = parted(statement)
    assert value in found(text)


@pytest.mark.parametrize("text", OTHERWISE)
def test_what_only_looks_so_is_not(text):
    assert found(text) == []


@pytest.mark.parametrize("statement", STATED)
def test_pieces_change_nothing(statement):
    text, _ = parted(statement)
    assert found_in_pieces(text, 3) == found(text)


@pytest.mark.parametrize(
    "piece",
    ["/a/б/ш", "/日", "D:\\日 ", "\\\\日\\", "日-1", "가-1/", "一二三元", "１，", "北纬1", "٣٬"],
)
def test_time_grows_with_the_text(piece):
    assert_linear(lambda text: Scanner(ENSEMBLE).feed(text, final=True), piece, 4000)


def test_a_comma_behind_a_number_is_of_the_sentence():
    assert found("端口是７３９１，不是默认的。") == ["７３９１"]
    assert found("会費は１，２３４，５６７円、後日。") == ["１，２３４，５６７円"]
