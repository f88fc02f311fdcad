package dev.outpost.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A command that the launcher starts with another program or with more modules. The help, the completion and the suggestions
 * for mistyped words list it; running it here fails.
 *
 * @param synopsis the text after {@code Usage:}, or an empty text if the program prints its own help
 * @param inSourceTree whether only the launcher of a source tree knows the command
 * @param children its subcommands
 * @param arguments its options and arguments, for the help and the completion
 */
record LauncherCommand(
        String name,
        String synopsis,
        String description,
        boolean inSourceTree,
        List<LauncherCommand> children,
        List<ArgSpec> arguments) {
    private static final List<LauncherCommand> ALL = all();

    /** Returns the commands of the launcher: those of the zip, and with {@code tree} also those of a source tree. */
    static List<LauncherCommand> of(boolean tree) {
        return ALL.stream().filter(command -> tree || !command.inSourceTree()).toList();
    }

    CommandSpec toSpec() {
        CommandSpec spec =
                CommandSpec.wrapWithoutInspection((Runnable) this::refuse).name(name);
        spec.usageMessage().description(description);
        if (!synopsis.isEmpty()) {
            spec.usageMessage().customSynopsis(synopsis);
        }
        spec.parser().unmatchedArgumentsAllowed(true);
        arguments.forEach(spec::add);
        children.forEach(child -> spec.addSubcommand(child.name, child.toSpec()));
        return spec;
    }

    private void refuse() {
        throw new IllegalStateException(name + ": call it by ./outpost or bin/outpost, which start its program");
    }

    private static List<LauncherCommand> all() {
        List<LauncherCommand> commands = new ArrayList<>();
        commands.add(zip("generate", "", "Generate text with a language model."));
        commands.add(zip("models", "", "Tell what is in a model and what it needs."));
        commands.add(zip("train", "", "Fine-tune a language model as a file says."));
        commands.add(zip("plot", "", "Draw the metrics of runs, here or as PNG and SVG."));
        commands.add(zip("onnx", "", "Run models in ONNX's format, cut over workers."));
        commands.add(zip("workers", "", "List the workers of the local network, pair with them, and measure them."));
        commands.add(zip("serve", "", "Serve a model to clients of OpenAI's API; docs/serving.md."));
        commands.add(zip(
                "gateway", "", "Serve the deployments of a backend to clients of OpenAI's API; docs/deployments.md."));
        commands.add(zip(
                "init",
                "outpost init DIR [--maven|--gradle|--jbang] [--repository DIR|URL]",
                "Write a project of your own that computes on a machine, for Maven unless another tool is named. Its name is that of "
                        + "the folder. The artefacts come from the repository, which a source tree writes itself.",
                argument("DIR", "The folder of the project, which must not exist or be empty."),
                flag("--maven", "For Maven, with its wrapper; the default."),
                flag("--gradle", "For an installed Gradle."),
                flag("--jbang", "One file for an installed JBang."),
                option(
                        "--repository",
                        "ADDRESS",
                        "Where the project finds Outpost's artefacts: a folder that publish has written, or the address of a Maven"
                                + " repository. $OUTPOST_REPOSITORY unless given; without both, a clone writes target/repository, and the"
                                + " zip uses Maven Central.")));
        commands.add(zip(
                "install",
                "outpost install [--prefix DIR] [--remove]",
                "Put outpost on the PATH, as a link in DIR/bin (DIR is ~/.local unless given), and install the completion of words "
                        + "for bash, zsh and fish. --remove deletes both.",
                option("--prefix", "DIR", "The folder above bin and share; ~/.local unless given."),
                flag("--remove", "Delete what install has written.")));
        commands.add(zip(
                "completion",
                "outpost completion bash|zsh|fish",
                "Print the script that completes words in a shell, for instance: eval \"$(outpost completion bash)\".",
                argument("SHELL", "bash, zsh or fish.", "bash", "zsh", "fish")));
        commands.add(zip(
                "run",
                "outpost run FILE.java [ARGUMENT...]",
                "Run a program in one file, with Outpost's class path and flags. OUTPOST_MACHINE names the machine of"
                        + " RemoteMachine.open(); mock:any unless given.",
                argument("FILE.java", "A file with a main method."),
                argument("ARGUMENT", "What the program is given.")));
        commands.add(tree(
                "jshell",
                "outpost jshell [--session NAME [--end]] [ARGUMENT...]",
                "Start JShell with a machine at hand. With --session, the machine and the tensors you keep outlive the"
                        + " JShell, and the next one with this name continues; --end ends the session.",
                option("--session", "NAME", "The name of the session."),
                flag("--end", "End the session, and give its machine back."),
                argument("ARGUMENT", "What the JDK's jshell takes: files to run, or options such as -R-Xmx2g.")));
        commands.add(tree(
                "example",
                "outpost example NAME [ARGUMENT...]",
                "Run a program of docs/examples.md. Without a name, list the programs.",
                argument("NAME", "The name of its class, such as FirstTensor."),
                argument("ARGUMENT", "What the program is given.")));
        commands.add(tree("build", "outpost build", "Compile everything, tests included."));
        commands.add(tree(
                "test",
                "",
                "Build and run the tests: all, --quick, --full, --changed, or by name.",
                flag("--quick", "The quick tests only."),
                flag("--full", "Also long and large ones, races and benchmarks' tests."),
                flag("--changed", "The modules that differ from the upstream branch, and their dependents."),
                option("--since", "REF", "The same with another Git reference."),
                flag("--coverage", "Print the lines and branches that were run, by module."),
                flag("--real-cluster", "The tests that can run on a real Kubernetes cluster.")));
        commands.add(bench());
        commands.add(tree("parity", "", "Compare the ops with what PyTorch computes."));
        commands.add(tree("gpu-check", "", "Check the CUDA engine on a GPU; docs/gpu.md."));
        commands.add(tree(
                "publish",
                "outpost publish DIR [--key NAME]",
                "Write a Maven repository, and a zip for hosts without a clone. A GnuPG key signs all.",
                argument("DIR", "The folder of the repository: new, empty, or one that publish has written."),
                option("--key", "NAME", "Sign everything with this key of an installed GnuPG.")));
        commands.add(tree(
                "release",
                "outpost release VERSION DIR [--key NAME] [--without-tests] [--without-images]",
                "Test, build and tag a version. A Maven repository and images go to the folder; docs/releasing.md."));
        commands.add(tree(
                "api-description",
                "outpost api-description [--write]",
                "Compare the public API with docs/api, or write it there."));
        commands.add(tree(
                "api-changes",
                "outpost api-changes [--since TAG]",
                "Fail if the public API breaks the last release's; docs/api/breaks.tsv lists the permitted breaks."));
        commands.add(tree(
                "vulnerabilities",
                "outpost vulnerabilities",
                "Look for known vulnerabilities of dependencies by osv-scanner, if it is installed."));
        commands.add(tree(
                "help-text",
                "outpost help-text [--write]",
                "Compare the help that the launchers print with the commands, or write it."));
        commands.add(tree("docs", "", "Build the documentation as a web site, and serve it on this host."));
        commands.add(tree("format", "outpost format", "Format the sources as the build wants them."));
        commands.add(tree(
                "names",
                "outpost names [NAME...] [--lower]",
                "Check the names of all sources. NAME prints the findings of a module, of a rule or below a path."));
        commands.add(tree(
                "sentences",
                "outpost sentences [NAME...] [--lower]",
                "Check the sentences of comments and documents. NAME prints the findings of a module or below"
                        + " a path."));
        commands.add(tree(
                "architecture",
                "outpost architecture [--write]",
                "Check the diagram of modules, the links and the names in documents, or write the first two."));
        commands.add(tree(
                "structure",
                "outpost structure",
                "Print cycles of classes, crowded packages, and lines of code by module."));
        commands.add(
                tree("nulls", "outpost nulls", "Check uses of null in the modules whose packages are @NullMarked."));
        commands.add(tree(
                "rename",
                "outpost rename FILE [--check]",
                "Rename what the rows of a file say, and all references to it."));
        return List.copyOf(commands);
    }

    private static LauncherCommand bench() {
        return new LauncherCommand(
                "bench",
                "outpost bench NAME [--help]",
                "Measure a part of Outpost on this machine.",
                true,
                List.of(
                        bench("dispatch", "Measure recording, the wire, waiting, bulk data and starts."),
                        bench("limits", "Measure how near to its limits this machine is used."),
                        bench(
                                "backend",
                                "Measure the backend: starts, latency, watchers, 10,000 idle machines, failover."),
                        bench("noise", "Measure a small program's answers beside other sessions on the same machine."),
                        bench("serving", "Measure continuous batching beside static batching and one text at a time."),
                        bench(
                                "group",
                                "Measure groups of machines: exchanges beside plain TLS, scaling, a prediction for"
                                        + " more."),
                        bench(
                                "lan",
                                "Measure models over workers behind throttled links, beside what their plans predict."),
                        bench(
                                "generate",
                                "Measure tokens a second by batch and prompt, beside Jlama and PyTorch with the same"
                                        + " weights."),
                        bench(
                                "loading",
                                "Measure weights from a store into memory beside plain ranged requests to it."),
                        bench("data", "Measure training from a throttled store beside the steps alone."),
                        bench("peers", "Measure workloads beside the same programs with DJL and PyTorch.")),
                List.of());
    }

    private static LauncherCommand bench(String name, String description) {
        return tree(name, "", description);
    }

    private static LauncherCommand zip(String name, String synopsis, String description, ArgSpec... arguments) {
        return new LauncherCommand(name, synopsis, description, false, List.of(), List.of(arguments));
    }

    private static LauncherCommand tree(String name, String synopsis, String description, ArgSpec... arguments) {
        return new LauncherCommand(name, synopsis, description, true, List.of(), List.of(arguments));
    }

    private static ArgSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .description(description)
                .build();
    }

    private static ArgSpec option(String name, String value, String description) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(value)
                .description(description)
                .build();
    }

    /** Returns an argument. The shell completes the values. */
    private static ArgSpec argument(String label, String description, String... values) {
        return PositionalParamSpec.builder()
                .type(String.class)
                .arity("0..1")
                .paramLabel(label)
                .description(description)
                .completionCandidates(List.of(values))
                .build();
    }
}
