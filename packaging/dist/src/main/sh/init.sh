# Starts a project of a user's own from the folder "starters". The launchers set CALLER, SHARE, MAVEN_WRAPPER (the folder with mvnw) and the
# functions version_of_build and repository_of_build, which prints the repository of the artefacts, or nothing for Maven Central.
# shellcheck shell=sh disable=SC2154

init_project() {
    kind= directory= repository=${OUTPOST_REPOSITORY:-}
    while [ $# -gt 0 ]; do
        case $1 in
            --maven | --gradle | --jbang)
                [ -z "$kind" ] || die "init wants one of --maven, --gradle and --jbang"
                kind=${1#--}
                ;;
            --repository)
                [ $# -ge 2 ] || die "init --repository: the folder or address is missing"
                repository=$2
                shift
                ;;
            --repository=*) repository=${1#*=} ;;
            -*) die "init does not know $1: outpost init DIR [--maven|--gradle|--jbang] [--repository DIR|URL]" ;;
            *)
                [ -z "$directory" ] || die "init wants one folder, not $directory and $1"
                directory=$1
                ;;
        esac
        shift
    done
    [ -n "$directory" ] || die "init where? outpost init DIR [--maven|--gradle|--jbang] [--repository DIR|URL]"
    kind=${kind:-maven}
    cd "$CALLER"
    name=$(basename -- "$directory")
    case $name in
        [a-zA-Z]*) ;;
        *) die "the folder's name becomes the name of the project: it must begin with a letter, unlike $name" ;;
    esac
    case $name in
        *[!a-zA-Z0-9._-]*) die "the folder's name becomes the name of the project: it may have letters, digits, dots, - and _ only" ;;
    esac
    if [ -e "$directory" ] && [ -n "$(ls -A -- "$directory" 2>/dev/null || echo file)" ]; then
        die "$directory exists and is not an empty folder"
    fi
    case $repository in
        '') repository=$(repository_of_build) || exit 1 ;;
        *://*) ;;
        *)
            [ -d "$repository" ] || die "init --repository $repository: there is no such folder; outpost publish DIR writes one"
            repository=$(cd -- "$repository" && pwd -P) || die "init --repository $repository: the folder cannot be read"
            repository=file://$repository
            ;;
    esac
    # A path becomes an address, and its characters must not end a word of sed or of XML.
    repository=$(printf '%s' "$repository" | sed -e 's/ /%20/g' -e 's/&/%26/g' -e 's/|/%7C/g' -e "s/'/%27/g" -e 's/</%3C/g')
    mkdir -p -- "$directory" || die "the folder $directory cannot be made"
    "write_$kind"
    fill <"$SHARE/starters/README.md" >"$directory/README.md"
    echo "wrote a project to $directory. Run it:"
    echo
    echo "    cd $directory"
    echo "    $run"
}

# Replaces the marks of a starter: name, version, and how it runs.
fill() {
    sed -e "s|@name@|$name|g" -e "s|@version@|$(version_of_build)|g" -e "s|@run@|$run|g" -e "s|@other@|$other|g" -e "s|@repository@|$mark|g"
}

write_maven() {
    run="./mvnw -q" other="./mvnw -q -Dexec.mainClass=Other"
    mark=
    [ -z "$repository" ] || mark="\\
  <repositories>\\
    <repository>\\
      <id>outpost</id>\\
      <url>$repository</url>\\
      <snapshots>\\
        <updatePolicy>always</updatePolicy>\\
      </snapshots>\\
    </repository>\\
  </repositories>\\
"
    mkdir -p "$directory/src/main/java" "$directory/.mvn/wrapper"
    cp "$SHARE/starters/App.java" "$directory/src/main/java"
    fill <"$SHARE/starters/maven/pom.xml" >"$directory/pom.xml"
    cp "$MAVEN_WRAPPER/mvnw" "$directory"
    cp "$MAVEN_WRAPPER/.mvn/wrapper/maven-wrapper.properties" "$directory/.mvn/wrapper"
    echo target >"$directory/.gitignore"
}

write_gradle() {
    run="gradle -q run" other="gradle -q run -PmainClass=Other"
    mark=
    [ -z "$repository" ] || mark="    maven { url = '$repository' }\\
"
    mkdir -p "$directory/src/main/java"
    cp "$SHARE/starters/App.java" "$directory/src/main/java"
    fill <"$SHARE/starters/gradle/build.gradle" >"$directory/build.gradle"
    fill <"$SHARE/starters/gradle/settings.gradle" >"$directory/settings.gradle"
    printf 'build\n.gradle\n' >"$directory/.gitignore"
}

write_jbang() {
    run="jbang App.java" other="jbang Other.java"
    mark=
    [ -z "$repository" ] || mark="outpost=$repository,"
    {
        fill <"$SHARE/starters/jbang/header"
        cat "$SHARE/starters/App.java"
    } >"$directory/App.java"
    chmod +x "$directory/App.java"
}
