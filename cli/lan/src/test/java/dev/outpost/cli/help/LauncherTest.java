package dev.outpost.cli.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher of a source tree prints help, completes words and installs itself without a build and without Java. */
class LauncherTest {
    private static final Path LAUNCHER =
            Path.of("../../outpost").toAbsolutePath().normalize();

    private static final String SHARE =
            LAUNCHER.resolveSibling("packaging/dist/src/main/sh/").toString();

    @TempDir
    Path folder;

    private record Result(int status, String text) {}

    @Test
    void helpOfACommandIsPrintedBesideItsArguments() throws Exception {
        assertTrue(outpost("machines", "start", "--help").text.startsWith("Usage: outpost machines start "));
        assertEquals(outpost("machines", "start", "--help"), outpost("machines", "start", "k8s", "A100", "-h"));
        assertEquals(outpost("jobs", "--help"), outpost("help", "jobs"));
        assertEquals(outpost("--help"), outpost());
    }

    /** The folder has no commands of Java: only the shell's usual ones. */
    @Test
    void helpNeedsNoJava() throws Exception {
        Path commands = Files.createDirectory(folder.resolve("commands"));
        for (String name : List.of("sh", "awk", "sed", "dirname", "readlink")) {
            Files.createSymbolicLink(commands.resolve(name), onPath(name));
        }
        ProcessBuilder builder = new ProcessBuilder("sh", LAUNCHER.toString(), "top", "--help");
        builder.environment().put("PATH", commands.toString());
        builder.environment().remove("JAVA_HOME");
        Result result = run(builder);
        assertTrue(result.status == 0 && result.text.startsWith("Usage: outpost top "), result::text);
    }

    @Test
    void versionIsThatOfTheBuild() throws Exception {
        String pom = Files.readString(LAUNCHER.resolveSibling("pom.xml"));
        String version = outpost("--version").text.lines().findFirst().orElseThrow();
        assertTrue(version.startsWith("outpost "), version);
        assertTrue(pom.contains("<version>" + version.substring("outpost ".length()) + "</version>"), version);
    }

    @Test
    void wordsFollowTheirCommand() throws Exception {
        assertEquals(List.of("machines"), completed("machi"));
        assertTrue(completed("machines", "st").containsAll(List.of("start", "stop")));
        assertTrue(completed("machines", "start", "--f").contains("--for"));
        assertTrue(completed("generate", "--dtype", "bf").contains("bfloat16"));
        assertTrue(completed("generate", "--dtype=bf").contains("--dtype=bfloat16"));
        assertEquals(List.of(), completed("machines", "start", "--for", ""));
        assertEquals(List.of(), completed("no-such-command", "x"));
    }

    @Test
    void bashCompletesWords() throws Exception {
        assertEquals("start\nstop\n", completedBy("bash", """
                eval "$(%s completion bash)"
                COMP_WORDS=(%s machines st) COMP_CWORD=2
                _outpost
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(LAUNCHER, LAUNCHER)));
    }

    @Test
    void zshCompletesWords() throws Exception {
        assertEquals("start stop\n", completedBy("zsh", """
                compdef() { :; }
                _describe() { print -r -- "${(@)${(P)2}%%%%:*}"; }
                eval "$(%s completion zsh)"
                words=(%s machines st) CURRENT=3
                _outpost
                """.formatted(LAUNCHER, LAUNCHER)));
    }

    @Test
    void fishCompletesWords() throws Exception {
        String text = completedBy("fish", """
                %s completion fish | source
                complete -C 'outpost machines st' | string match -r '^st[a-z]+'
                """.formatted(LAUNCHER));
        assertEquals("start\nstop\n", text);
    }

    @Test
    void longWorkIsShownInATerminalAndErased() throws Exception {
        assumeTrue(onPath("script") != null, "script, which makes a terminal, is not installed");
        Path program =
                Files.writeString(folder.resolve("work.sh"), """
                . %s/packaging/dist/src/main/sh/common.sh
                progress_line() { : >%s/drawn; printf '%%s: drawn' "$1"; }
                wait_for_line() { until [ -e %s/drawn ]; do sleep 0.1; done; }
                busy "working" "" wait_for_line
                busy "failing" "" false || echo "status $?"
                """.formatted(LAUNCHER.getParent(), folder, folder));
        String text = completedBy("sh", "TERM=xterm script -qec 'sh " + program + "' /dev/null");
        assertTrue(text.startsWith("\r\u001b[Kworking: drawn"), text);
        assertTrue(text.endsWith("\r\u001b[Kstatus 1\r\n"), text);
    }

    /** A pipe receives the first line after ten seconds. */
    @Test
    void quickWorkPrintsNothingInAPipe() throws Exception {
        assertEquals("worked\n", completedBy("sh", """
                . %s/packaging/dist/src/main/sh/common.sh
                busy "working" "" echo worked
                """.formatted(LAUNCHER.getParent())));
    }

    @Test
    void modulesOfABuildGiveTheTimeLeft() throws Exception {
        Path report = Files.writeString(folder.resolve("report"), """
                [INFO] Building Outpost :: Protocol 0.2.0-SNAPSHOT                       [1/31]
                [INFO] Building jar: protocol.jar
                [INFO] Building Outpost :: API 0.2.0-SNAPSHOT                            [9/31]
                """);
        assertEquals("building Outpost: 8 of 31 modules, 0:40 passed, 1:55 left", completedBy("sh", """
                        . %s/packaging/dist/src/main/sh/common.sh
                        progress_line "building Outpost" %s 40
                        """.formatted(
                        LAUNCHER.getParent(), report)));
    }

    @Test
    void installPutsALinkOnThePathAndRemoveDeletesIt() throws Exception {
        Path prefix = folder.resolve("a prefix");
        Result installed = outpost("install", "--prefix", prefix.toString());
        assertEquals(0, installed.status, installed.text);
        assertTrue(
                installed.text.contains("add it to the PATH: export PATH=\"" + prefix + "/bin:$PATH\""),
                installed.text);
        Path link = prefix.resolve("bin/outpost");
        assertEquals(outpost("--help"), run(new ProcessBuilder(link.toString(), "--help")));
        assertEquals(0, outpost("install", "--prefix=" + prefix).status);
        try (Stream<Path> files = Files.walk(prefix.resolve("share"))) {
            assertEquals(3, files.filter(Files::isRegularFile).count());
        }
        assertEquals(0, outpost("install", "--remove", "--prefix", prefix.toString()).status);
        try (Stream<Path> files = Files.walk(prefix)) {
            assertEquals(
                    List.of(), files.filter(file -> !Files.isDirectory(file)).toList());
        }
    }

    @Test
    void anotherProgramIsNotReplaced() throws Exception {
        Path program = Files.createDirectories(folder.resolve("bin")).resolve("outpost");
        Files.writeString(program, "another program");
        Result refused = outpost("install", "--prefix", folder.toString());
        assertEquals(1, refused.status);
        assertEquals(
                "outpost: " + program + " is another program: remove it, or choose another folder by --prefix\n",
                refused.text);
        assertEquals(1, outpost("install", "--remove", "--prefix", folder.toString()).status);
        assertEquals("another program", Files.readString(program));
        assertFalse(Files.exists(folder.resolve("share")));
    }

    @Test
    void completionOfAnotherProgramIsNotReplaced() throws Exception {
        Path completion = Files.createDirectories(folder.resolve("share/zsh/site-functions"))
                .resolve("_outpost");
        Files.writeString(completion, "another program");
        String refusal =
                "outpost: " + completion + " is of another program: remove it, or choose another folder by --prefix\n";
        assertEquals(new Result(1, refusal), outpost("install", "--prefix", folder.toString()));
        assertEquals(new Result(1, refusal), outpost("install", "--remove", "--prefix", folder.toString()));
        assertEquals("another program", Files.readString(completion));
        assertFalse(Files.exists(folder.resolve("bin/outpost")));
        Files.delete(completion);
        Files.createSymbolicLink(completion, folder.resolve("elsewhere"));
        assertEquals(new Result(1, refusal), outpost("install", "--prefix", folder.toString()));
        assertFalse(Files.exists(folder.resolve("elsewhere")));
    }

    @Test
    void fileThatCannotBeWrittenIsTold() throws Exception {
        Path cp = Files.createDirectories(folder.resolve("commands")).resolve("cp");
        Files.writeString(cp, "#!/bin/sh\nexit 1\n");
        assertTrue(cp.toFile().setExecutable(true));
        ProcessBuilder builder =
                new ProcessBuilder("sh", LAUNCHER.toString(), "install", "--prefix", folder.toString());
        builder.environment().merge("PATH", cp.getParent().toString(), (path, first) -> first + ":" + path);
        Result result = run(builder);
        assertEquals(1, result.status, result.text);
        assertTrue(result.text.endsWith("cannot be written\n"), result.text);
    }

    /** Other tests build the projects; this one reads what is written. */
    @ParameterizedTest
    @ValueSource(strings = {"maven", "gradle", "jbang"})
    void initWritesAProjectWithoutMarks(String tool) throws Exception {
        Path repository = Files.createDirectory(folder.resolve("a repository"));
        Result result = outpost("init", "my-app", "--" + tool, "--repository", repository.toString());
        assertEquals(0, result.status, result.text);
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder.resolve("my-app"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(file.endsWith("mvnw") ? "" : Files.readString(file));
            }
        }
        String text = all.toString();
        assertFalse(text.matches("(?s).*@[a-z]+@.*"), text);
        assertTrue(text.contains("file://" + folder.toRealPath() + "/a%20repository"), text);
        assertTrue(text.contains("RemoteMachine.open()"), text);
        assertEquals(
                "outpost: my-app exists and is not an empty folder\n",
                outpost("init", "my-app", "--repository", repository.toString()).text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            init ; init where? outpost init DIR [--maven|--gradle|--jbang] [--repository DIR|URL]
            init one two ; init wants one folder, not one and two
            init app --ant ; init does not know --ant: outpost init DIR [--maven|--gradle|--jbang] [--repository DIR|URL]
            init app --maven --jbang ; init wants one of --maven, --gradle and --jbang
            init 1app ; the folder's name becomes the name of the project: it must begin with a letter, unlike 1app
            init app --repository missing ; 'init --repository missing: there is no such folder; outpost publish DIR writes one'
            """)
    void initRefuses(String line, String sentence) throws Exception {
        assertEquals(new Result(1, "outpost: " + sentence + "\n"), outpost(line.split(" ")));
        assertFalse(Files.exists(folder.resolve("app")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            demmo                     | no command is called demmo; did you mean demo?                  | --help
            jshel                     | no command is called jshel; did you mean jshell?                | --help
            help demmo                | no command is called demmo; did you mean demo?                  | --help
            no-such-word              | no command is called no-such-word                               | --help
            --machine mock demo       | there is no option --machine before a command                   | --help
            -x                        | there is no option -x before a command                          | --help
            demo --hlep               | demo has no option --hlep; did you mean --help?                 | demo --help
            demo --epoch=3            | demo has no option --epoch; did you mean --epochs?              | demo --help
            demo -x --help-me         | demo has no option -x                                           | demo --help
            demo --epochs 3 now       | demo has no argument now                                        | demo --help
            machines strat k8s A100   | machines has no command strat; did you mean start?              | machines --help
            machines start --fro 2h   | machines start has no option --fro; did you mean --for?         | machines start --help
            """)
    void anUnknownWordIsRefusedBeforeABuild(String line, String sentence, String help) throws Exception {
        assertEquals(new Result(2, "outpost: " + sentence + "\nTry: outpost " + help + "\n"), checked(line.split(" ")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo --epochs 3 --trace",
                "demo --epochs=3 -V",
                "submit --env A=-b -- program.jar --its-option",
                "machines start mock A100 --for 2h",
                "bench dispatch --any",
                "runtime --port 0",
                "train -- --file"
            })
    void aKnownWordIsNotRefused(String line) throws Exception {
        assertEquals(new Result(0, ""), checked(line.split(" ")));
    }

    private Result checked(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", ". " + SHARE + "/help.sh; check_words \"$@\"", "sh"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SHARE", SHARE);
        builder.environment().put("TREE", "tree");
        return run(builder);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run                       | run which file? outpost run FILE.java [ARGUMENT...]
            run App                   | run App: the name of a Java program ends with .java: outpost run FILE.java [ARGUMENT...]
            run Missing.java          | run Missing.java: there is no such file, or it cannot be read
            publish other             | publish other: it has other files than a repository that publish has written; name a new or an empty folder
            publish /                 | publish /: it has other files than a repository that publish has written; name a new or an empty folder
            """)
    void aFileOrFolderIsCheckedBeforeABuild(String line, String sentence) throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("other")).resolve("notes"), "mine");
        assertEquals(new Result(1, "outpost: " + sentence + "\n"), outpost(line.split(" ")));
    }

    @Test
    void aMistypedExampleIsNamedWithTheNearest() throws Exception {
        Result result = outpost("example", "FirstTenso");
        assertEquals(1, result.status);
        assertTrue(result.text.contains("no example is called FirstTenso; did you mean FirstTensor."), result.text);
    }

    @Test
    void namesThatAreKnownAreCompleted() throws Exception {
        assertEquals(List.of("bash", "zsh", "fish"), completed("completion", ""));
        assertTrue(completed("example", "First").contains("FirstTensor"));
        assertTrue(completed("demo", "--machine", "").containsAll(List.of("mock:A100", "process:any")));
        assertTrue(completed("init", "--").containsAll(List.of("--gradle", "--repository")));
    }

    @Test
    void anUnknownShellIsRefused() throws Exception {
        assertEquals(
                new Result(1, "outpost: completion for which shell? outpost completion bash|zsh|fish\n"),
                outpost("completion", "ksh"));
    }

    private String completedBy(String shell, String script) throws Exception {
        assumeTrue(onPath(shell) != null, shell + " is not installed");
        ProcessBuilder builder = new ProcessBuilder(shell, "-c", script);
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("PATH", LAUNCHER.getParent() + File.pathSeparator + System.getenv("PATH"));
        return run(builder).text;
    }

    private List<String> completed(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("__complete"));
        all.addAll(List.of(words));
        return outpost(all.toArray(String[]::new))
                .text
                .lines()
                .map(line -> line.split("\t")[0])
                .toList();
    }

    private Result outpost(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        return run(new ProcessBuilder(command).directory(folder.toFile()));
    }

    private static Result run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes());
        return new Result(process.waitFor(), text);
    }

    private static Path onPath(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(entry -> Path.of(entry, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
