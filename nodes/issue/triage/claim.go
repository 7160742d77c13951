package triage

import (
	"regexp"
	"strings"
)

// claim says whose version words speak of.
type claim int

const (
	nobody claim = iota // they name nothing
	ours
	theirs
)

// others are things that reporters run beside the project. They matter where the
// project's own name is not known or not asked for.
var others = regexp.MustCompile(`(?i)\b(?:c?python\d?|pypy|node(?:js)?|npm|yarn|pnpm|pip|go(?:lang)?|rustc?|cargo|java|jdk|jre|jvm|openjdk|kotlin|gradle|maven|ruby|php|gcc|clang|ubuntu|debian|fedora|centos|alpine|macos|osx?|ios|android|windows|linux|kernel|openssl|tls|http|chrome|firefox|safari|edge|browser|postgres\w*|mysql|mariadb|sqlite|redis|rabbitmq|mongodb?|kafka|docker|kubernetes|k8s|helm|platform|machine|operating|system|api|schema|spec|server|protocol)\b`)

// neutral are words that name nothing.
var neutral = wordSet(`version versions ver v release releases the of your you are is was using used use in with on at to from
	which what current currently installed installing software package library latest running affected this project tested both
	also seen reproduces reproduced and or commit ref info information output number observed found occurs exact my our i m am we
	tag it newest upgrading updating upgrade update upgraded updated moving switching just recently since after until before up through
	as happens happening problem issue bug appears e g eg like least only stable final first last report reported by 使用 使用的 当前 当前的 软件 项目 所用 号 信息`)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

var tokens = regexp.MustCompile(`[\pL\pN]+(?:[._-][\pL\pN]+)*`)

// claim looks at the last words that are not neutral: "Apache Airflow version" is of
// airflow. Without names any word that is no known other thing may be the project's.
func (n names) claim(words string) claim {
	var last []string
	for _, w := range tokens.FindAllString(clip(words, 200), 40) {
		if !neutral[strings.ToLower(w)] {
			last = append(last, w)
		}
	}
	if len(last) == 0 {
		return nobody
	}
	if len(n) == 0 && !others.MatchString(words) {
		return nobody
	}
	end := len(last) - 1
	if n.has(last[end]) || end > 0 && n.has(last[end-1]+last[end]) {
		return ours
	}
	return theirs
}
