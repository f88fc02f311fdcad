package dev.outpost.cli.models;

import dev.outpost.RemoteMachine;
import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.top.ShortNumbers;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import dev.outpost.models.architecture.Quantization;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.models.lan.LanModel;
import dev.outpost.models.lora.PeftFiles;
import dev.outpost.provider.lan.Workers;
import dev.outpost.source.Source;
import dev.outpost.stats.LoadStats;
import dev.outpost.types.DType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Generates text after a prompt, and prints the speed. */
@Command(name = "generate", description = "Generate text with a language model.")
final class GenerateCommand implements Runnable {
    @Mixin
    private ModelChoice model;

    @ArgGroup(multiplicity = "1")
    private Prompt prompt;

    @Option(names = "--system", paramLabel = "TEXT", description = "With --chat: what the model is told first.")
    private String system;

    @ArgGroup
    private Form form;

    @Option(names = "--print-ids", description = "Print the tokens that were generated, with commas between them.")
    private boolean printsIds;

    @Option(
            names = "--dtype",
            converter = DTypeConverter.class,
            paramLabel = "DTYPE",
            description = "Cast weights to it on their way, such as bfloat16; as they are stored unless given.")
    private DType dtype;

    @Option(
            names = "--quantize",
            converter = QuantizationConverter.class,
            paramLabel = "int8|int4",
            description = "Quantize the weights of layers on the machine as they are read.")
    private Quantization quantize;

    @Option(
            names = "--adapter",
            paramLabel = "URI",
            description = "An adapter of the model in PEFT's layout, such as file:/models/run/adapter-00000100.")
    private String adapter;

    @Mixin
    private LanChoice lan;

    @Mixin
    private SamplingOptions options;

    @Spec
    private CommandSpec spec;

    /** The form that the text must match. */
    private static final class Form {
        @Option(
                names = "--regex",
                paramLabel = "EXPRESSION",
                description = "With --prompt: generate only what the expression matches as a whole.")
        private String regex;

        @Option(
                names = "--json-schema",
                paramLabel = "FILE",
                description = "With --prompt: generate JSON that the schema in the file describes.")
        private Path schema;

        TokenConstraint constraint(CausalLM llm) {
            try {
                return regex == null ? llm.jsonSchema(Files.readString(schema)) : llm.regex(regex);
            } catch (IOException failure) {
                throw new UncheckedIOException(schema + " cannot be read", failure);
            }
        }
    }

    /** The beginning of a generation. */
    private static final class Prompt {
        @Option(names = "--prompt", required = true, paramLabel = "TEXT", description = "The text to go on with.")
        private String text;

        @Option(
                names = "--ids",
                required = true,
                split = ",",
                paramLabel = "ID",
                description = "The tokens to go on with, with commas between them; the model needs no tokenizer.")
        private List<Integer> ids;

        @Option(
                names = "--chat",
                required = true,
                description = "Hold a conversation: each line of the input is a message, and an empty one ends it.")
        private boolean chats;
    }

    @Override
    public void run() {
        if (system != null && !prompt.chats) {
            throw new ParameterException(spec.commandLine(), "--system is for a conversation; give --chat, too");
        }
        if (form != null && (prompt.text == null || printsIds)) {
            throw new ParameterException(
                    spec.commandLine(), "--regex and --json-schema are for the text behind a --prompt");
        }
        Sampling sampling = options.sampling();
        PrintWriter out = spec.commandLine().getOut();
        if (lan.isChosen(spec.commandLine())) {
            runOnLan(sampling, out);
            return;
        }
        try (RemoteMachine machine = model.open(adapter)) {
            machine.awaitReady();
            Source source = machine.open(model.uri());
            long start = System.nanoTime();
            try (CausalLM llm = load(source)) {
                if (adapter != null) {
                    PeftFiles.load(llm, adapter);
                }
                String loaded = loaded(source.progress(), System.nanoTime() - start);
                if (prompt.chats) {
                    llm.chatTemplate();
                    new ChatLoop(messages -> llm.chat(messages, sampling), system, out)
                            .hold(input(), rates -> report(rates, loaded));
                    return;
                }
                Generation.Rates rates = prompt.ids == null || !printsIds && llm.hasTokenizer()
                        ? printText(text(llm, sampling), out)
                        : printIds(llm.generate(ids(llm), sampling), out);
                report(rates, loaded);
            }
        }
    }

    private CausalLM load(Source source) {
        try (CommandProgress.Task loading = ModelLoading.show(source)) {
            return CausalLM.load(source, dtype, 0, quantize);
        }
    }

    private void runOnLan(Sampling sampling, PrintWriter out) {
        if (form != null || quantize != null || adapter != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--workers lan generates without --regex, --json-schema, --quantize and --adapter");
        }
        long start = System.nanoTime();
        try (Workers workers = lan.discover();
                LanModel llm = loadOnLan(workers)) {
            String loaded = "loaded in " + ShortNumbers.duration((System.nanoTime() - start) / 1_000_000) + " ("
                    + String.join("; ", llm.plan()) + ")";
            if (prompt.chats) {
                llm.chatTemplate();
                new ChatLoop(messages -> llm.chat(messages, sampling), system, out)
                        .hold(input(), rates -> report(rates, loaded));
                return;
            }
            int[] ids = prompt.ids == null ? llm.tokenizer().encode(prompt.text) : givenIds();
            boolean wantsText = llm.hasTokenizer() && (prompt.ids == null || !printsIds);
            report(
                    wantsText
                            ? printText(llm.generateText(ids, sampling), out)
                            : printIds(llm.generate(List.of(ids), sampling), out),
                    loaded);
        }
    }

    private LanModel loadOnLan(Workers workers) {
        try (CommandProgress.Task loading =
                CommandProgress.ofProcess().waiting("loading " + model.uri() + " on the workers")) {
            return lan.load(workers, model.uri(), dtype);
        }
    }

    private static BufferedReader input() {
        return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    }

    private int[] ids(CausalLM llm) {
        return prompt.ids == null ? llm.tokenizer().encode(prompt.text) : givenIds();
    }

    private int[] givenIds() {
        return prompt.ids.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Generation.Rates printIds(Generation begun, PrintWriter out) {
        try (Generation generation = begun) {
            int[] ids = generation.toEnd().getFirst();
            out.println(Arrays.stream(ids).mapToObj(String::valueOf).collect(Collectors.joining(",")));
            out.flush();
            return generation.rates();
        }
    }

    private TextStream text(CausalLM llm, Sampling sampling) {
        return form == null
                ? llm.generateText(ids(llm), sampling)
                : llm.generate(prompt.text, sampling, form.constraint(llm));
    }

    private Generation.Rates printText(TextStream begun, PrintWriter out) {
        try (TextStream stream = begun) {
            if (printsIds) {
                stream.forEachRemaining(piece -> {});
                out.println(stream.ids().stream().map(String::valueOf).collect(Collectors.joining(",")));
            } else {
                stream.forEachRemaining(piece -> {
                    out.print(piece);
                    out.flush();
                });
                out.println();
            }
            out.flush();
            return stream.rates();
        }
    }

    private static String loaded(LoadStats progress, long nanos) {
        double rate = nanos == 0 ? 0 : progress.bytes() * 1e9 / nanos;
        return ShortNumbers.bytes(progress.bytes()) + " loaded in " + ShortNumbers.duration(nanos / 1_000_000) + " ("
                + ShortNumbers.bytes((long) rate) + "/s)";
    }

    /** Prints the report to standard error, so that a redirected output has only the text. */
    private void report(Generation.Rates rates, String loaded) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(String.format(
                Locale.ROOT,
                "%d prompt tokens, %.1f a second; %d new tokens, %.1f a second; first token after %.0f ms; %s",
                rates.promptTokens(),
                rates.promptRate(),
                rates.tokens(),
                rates.decodeRate(),
                rates.firstNanos() / 1e6,
                loaded));
        err.flush();
    }
}
