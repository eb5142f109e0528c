"""TEST SPLIT: whoever writes or tunes a detector does not read this file."""
# ruff: noqa: E501 - lines of text as they stand in a file

COMMANDS: dict[str, tuple[str, ...]] = {
    "cli-flags": (
        "helm upgrade --install cart ./chart --set image.tag=⟦!version/commit|image.tag⟧ --atomic",
        "certbot certonly --manual -d example.net --email ⟦!email|--email⟧ --agree-tos",
        "terraform apply -auto-approve -var 'licence_key=⟦!serial/id|licence_key⟧' -parallelism=3",
        "gpg --batch --local-user ⟦!fingerprint/hex|--local-user⟧ --detach-sign notes.txt",
        "rsync -az --password-file=⟦!path|--password-file⟧ plans/ vault::plans",
        "nmap -Pn -p 22,443 ⟦!cidr/ipv6|target of nmap⟧ --open",
        "kubectl create secret generic mail --from-literal=relay='⟦!secret|relay⟧' -n post",
        "yt-dlp --username ⟦!username|--username⟧ --quiet --no-progress lecture",
        "python -m train --lr 3e-4 --resume ⟦!path/url|--resume⟧ --seed 7 --bf16",
        "stripe refunds create --charge ⟦!token/id|--charge⟧ --reason duplicate",
        "PS> .\\Connect.ps1 -TenantId ⟦!uuid|-TenantId⟧ -Interactive",
        "curl -u ⟦username|user of curl⟧:⟦!id/phrase|password of curl⟧ -sS https://dav.example.org/notes",
        'qrencode -o gate.png -s 8 "⟦!code/digits|content of the code⟧"',
        "openssl enc -d -aes-256-cbc -pass pass:⟦!password/phrase|pass⟧ -in box.enc",
    ),
    "netrc": (
        """\
# ~/.netrc
machine pulp.example.net
    login packager
    password ⟦!secret|password for pulp⟧

machine mirror.example.net login anonymous password guest""",
        "machine api.corp.test login ⟦!username|login for api.corp.test⟧ password x-oauth-basic",
        "machine artifacts.lab.example\n\tlogin token\n\tpassword ⟦!token/jwt|password for artifacts⟧\n",
        """\
machine a.example.com login ed password ⟦id/password|password for a⟧
machine b.example.com login ed password ⟦!id/password|password for b⟧""",
        "echo 'machine git.shop.test login ci password ⟦!token/hex|password for git⟧' >> ~/.netrc; chmod 600 ~/.netrc",
        """\
machine ftp.example.com
login harbour
password "⟦!words/phrase|password of harbour⟧"
macdef init
cd /pub""",
        """\
default
  login visitor
  account ⟦!code/serial|account of the default entry⟧
  password none""",
        "RUN printf 'machine go.corp.test login bot password %s' ⟦!token/nanoid|password of bot⟧ > /root/.netrc",
        """\
machine ⟦!host|machine that sam logs in to⟧
  login sam""",
        """\
machine imap.example.org  # holiday rota
  login rota
  password ⟦!password|password of rota⟧
  port 993""",
        "machine weather.example.net password ⟦!hex/uuid|password for weather⟧ login station-4",
        """\
machine cam-3.lab.example
login admin
password ⟦!pin/phrase|password of cam-3⟧""",
    ),
    "git-remotes": (
        """\
$ git push origin main
To ⟦!url|remote that was pushed to⟧
   main -> main""",
        """\
[submodule "themes/paper"]
	path = themes/paper
	url = ⟦!url/path|url of themes/paper⟧
	shallow = true""",
        """\
commit ⟦!commit/hex|commit of the typo fix⟧
Author: ⟦name⟧

    Fix the typo on the cover""",
        "git clone https://deploy:⟦!token/id|deploy token⟧@git.corp.test/press/covers.git --depth 1",
        """\
$ git stash list
stash@{0}: WIP on main: ⟦!commit|commit under the stash⟧ cover: wider spine""",
        """\
pick ⟦commit|commit to pick⟧ wider spine
squash ⟦!commit|commit to squash⟧ narrower spine
# Rebase onto main""",
        """\
[url "https://x-access:⟦!token/nanoid|token of insteadOf⟧@git.example.net/"]
	insteadOf = git@git.example.net:""",
        """\
error: cannot lock ref 'refs/heads/main': is at ⟦!hex|commit that main is at⟧ but expected another
 ! [remote rejected] main -> main""",
        """\
$ git verify-commit HEAD
gpg:                using EDDSA key ⟦!hex/fingerprint|key that signed HEAD⟧
gpg: Good signature""",
        """\
remote: Create a merge request by visiting:
remote:   ⟦!url|link to create the merge request⟧""",
        """\
[user]
	name = Mira
	email = ⟦!email|email of the user⟧
[pull]
	rebase = true""",
        """\
$ git describe --tags
⟦!version|tag that git described⟧
$ git status -s
 M cover.tex""",
        """\
⟦!commit/hex|commit that wrote line 40⟧ (⟦name⟧ ⟦date⟧ 40) margin = inner + gutter""",
    ),
}
