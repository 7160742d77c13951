package dependency

import "strings"

// distributions gives the names under which PyPI may have a Python module, the
// likeliest first: google.cloud.storage is google-cloud-storage, yaml is PyYAML. As
// they count only if the repository asks for one, a guess too many does no harm.
func distributions(module string) []string {
	parts := strings.Split(module, ".")
	var out []string
	for n := len(parts); n > 1; n-- {
		joined := strings.Join(parts[:n], ".")
		out = append(out, distributionOf[joined]...)
		out = append(out, strings.ReplaceAll(joined, ".", "-"))
	}
	top := parts[0]
	out = append(out, distributionOf[top]...)
	out = append(out, top, strings.TrimPrefix(top, "_"), "python-"+top, "py"+top, top+"-python", top+"-py")
	return out
}

// distributionOf has modules whose distribution has another name. The table is ours:
// no registry tells one from the other.
var distributionOf = map[string][]string{
	"yaml": {"PyYAML", "ruamel.yaml"}, "cv2": {"opencv-python", "opencv-python-headless", "opencv-contrib-python"},
	"PIL": {"Pillow"}, "sklearn": {"scikit-learn"}, "skimage": {"scikit-image"}, "bs4": {"beautifulsoup4"},
	"dateutil": {"python-dateutil"}, "dotenv": {"python-dotenv"}, "jwt": {"PyJWT"}, "OpenSSL": {"pyOpenSSL"},
	"Crypto": {"pycryptodome", "pycrypto"}, "Cryptodome": {"pycryptodomex"}, "MySQLdb": {"mysqlclient"},
	"psycopg2": {"psycopg2", "psycopg2-binary"}, "google.protobuf": {"protobuf"}, "grpc": {"grpcio"}, "attr": {"attrs"},
	"pkg_resources": {"setuptools"}, "serial": {"pyserial"}, "usb": {"pyusb"}, "zmq": {"pyzmq"}, "git": {"GitPython"},
	"github": {"PyGithub"}, "jose": {"python-jose"}, "magic": {"python-magic"}, "docx": {"python-docx"},
	"pptx": {"python-pptx"}, "slugify": {"python-slugify"}, "multipart": {"python-multipart"}, "socks": {"PySocks"},
	"win32api": {"pywin32"}, "gi": {"PyGObject"}, "cairo": {"pycairo"}, "fitz": {"PyMuPDF"}, "ldap": {"python-ldap"},
	"memcache": {"python-memcached"}, "telegram": {"python-telegram-bot"}, "discord": {"discord.py"}, "nacl": {"PyNaCl"},
	"markdown_it": {"markdown-it-py"}, "mpl_toolkits": {"matplotlib"}, "pylab": {"matplotlib"}, "tensorflow": {"tensorflow", "tensorflow-cpu", "tf-nightly"},
	"faiss": {"faiss-cpu", "faiss-gpu"}, "ruamel": {"ruamel.yaml"}, "umap": {"umap-learn"}, "Levenshtein": {"Levenshtein", "python-Levenshtein"},
	"rest_framework": {"djangorestframework"}, "corsheaders": {"django-cors-headers"}, "django_filters": {"django-filter"},
	"debug_toolbar": {"django-debug-toolbar"}, "environ": {"django-environ"}, "flask_sqlalchemy": {"Flask-SQLAlchemy"},
	"pythonjsonlogger": {"python-json-logger"}, "speech_recognition": {"SpeechRecognition"},
	"Xlib": {"python-xlib"}, "kafka": {"kafka-python"}, "engineio": {"python-engineio"}, "socketio": {"python-socketio"},
	"wx": {"wxPython"}, "websocket": {"websocket-client"}, "dns": {"dnspython"},
	"_pytest": {"pytest"},
}
