"""Phrases of Chinese, Japanese and Korean."""

from __future__ import annotations

from .phrases import Phrases, labels

CHINESE = Phrases(
    {},
    labels(
        "门禁密码|访问码|API密钥|密码|会话ID|订单号|快递单号|房间号|电话号码|账号|发票号码|"
        "访问令牌|服务器地址|端口|用户名|PIN码|票号|车牌号|许可证密钥|激活码|客户编号|航班号|"
        "预订编号|Wi-Fi密码|配置文件路径|提交哈希|版本号|预约日期|序列号|确认码",
        kinds=False,
    ),
    (
        "{label}：{value}",
        "{label}是{value}。",
        "{label}是 {value}。",
        "{label}是：{value}",
        "{label}为{value}。",
        "请记住，{label}是{value}。",
        "他告诉我{label}是{value}。",
        "注意：{label}是{value}。",
        "{value}就是{label}。",
        "我的{label}是{value}。",
        "顺便说一下，{label}已经改成{value}了。",
        "请把{label}记下来：{value}",
        "【重要】{label}为“{value}”",
    ),
    (
        "\n\n{label}是什么？",
        "\n\n{label}是多少？",
        "\n\n请告诉我{label}。",
        "\n\n问题：{label}是什么？\n回答：",
        "\n\n{label}是：",
        "\n\n请重复{label}：",
        "\n\n上文提到的{label}是什么？",
        "\n\n根据上文，{label}是什么？",
        "\n\n你还记得{label}吗？",
        "\n\n请写出{label}：",
        "\n问：{label}是什么？\n答：",
    ),
    mark="（{}）",
)

JAPANESE = Phrases(
    {},
    labels(
        "ドアの暗証番号|アクセスコード|APIキー|パスワード|セッションID|注文番号|追跡番号|"
        "部屋番号|電話番号|口座番号|請求書番号|アクセストークン|サーバーのアドレス|ポート番号|"
        "ユーザー名|PINコード|チケット番号|車のナンバー|ライセンスキー|アクティベーションコード|"
        "お客様番号|便名|予約番号|Wi-Fiのパスワード|設定ファイルのパス|コミット|バージョン|"
        "予約の日付|シリアル番号|確認コード",
        kinds=False,
    ),
    (
        "{label}：{value}",
        "{label}は{value}です。",
        "{label}は「{value}」です。",
        "{label}は{value}だ。",
        "{label}は{value}だと覚えておいてください。",
        "{label}は{value}だと聞きました。",
        "メモ：{label}は{value}。",
        "{value}が{label}です。",
        "私の{label}は{value}です。",
        "ちなみに、{label}は{value}に変わりました。",
        "【重要】{label}：{value}",
        "{label}は次のとおりです：{value}",
        "田中さんによると、{label}は{value}だそうです。",
    ),
    (
        "\n\n{label}は何ですか？",
        "\n\n{label}は何でしたか？",
        "\n\n{label}を教えてください。",
        "\n\n質問：{label}は何ですか？\n回答：",
        "\n\n{label}は？",
        "\n\n{label}は次のとおり：",
        "\n\n{label}をもう一度言ってください。",
        "\n\n上の文章に出てきた{label}は何ですか？",
        "\n\n{label}を書いてください：",
        "\nQ：{label}は？\nA：",
    ),
    mark="（{}）",
)

KOREAN = Phrases(
    {
        "v": {"topic": "는", "subject": "가", "object": "를"},
        "c": {"topic": "은", "subject": "이", "object": "을"},
    },
    labels(
        "v 출입문 비밀번호|v 접속 코드|v API 키|v 비밀번호|v 세션 ID|v 주문 번호|v 운송장 번호|"
        "v 방 번호|v 전화번호|v 계좌 번호|v 청구서 번호|c 액세스 토큰|v 서버 주소|v 포트 번호|"
        "c 사용자 이름|v PIN 번호|v 티켓 번호|v 차량 번호|v 라이선스 키|v 활성화 코드|v 고객 번호|"
        "v 항공편 번호|v 예약 번호|v 와이파이 비밀번호|v 설정 파일 경로|v 커밋 해시|c 버전|"
        "v 예약 날짜|v 일련번호|v 확인 코드"
    ),
    (
        "{label}: {value}",
        "{label}{topic} {value}입니다.",
        "{label}{topic} '{value}'입니다.",
        "{label}{topic} {value}이다.",
        "{label}{subject} {value}임을 기억하세요.",
        "제가 들은 {label}{topic} {value}입니다.",
        "참고: {label}{topic} {value}입니다.",
        "{value}, 이것이 {label}입니다.",
        "{label}{object} 적어 두세요: {value}",
        "제 {label}{topic} {value}입니다.",
        "{label}{topic} 다음과 같습니다: {value}",
        "[중요] {label}: {value}",
        "민수가 알려 준 {label}{topic} {value}입니다.",
    ),
    (
        "\n\n{label}{topic} 무엇입니까?",
        "\n\n{label}{subject} 뭐예요?",
        "\n\n{label}{subject} 뭐였죠?",
        "\n\n{label}{object} 알려 주세요.",
        "\n\n질문: {label}{topic} 무엇인가요?\n답변:",
        "\n\n{label}{topic} 다음과 같습니다:",
        "\n\n{label}{object} 다시 말해 주세요.",
        "\n\n위 글에 나온 {label}{topic} 무엇인가요?",
        "\n\n{label}{object} 입력하세요:",
        "\n문: {label}{topic} 무엇인가요?\n답:",
    ),
)
