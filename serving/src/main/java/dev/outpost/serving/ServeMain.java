package dev.outpost.serving;

import dev.outpost.channel.ServerOptions;
import dev.outpost.channel.ServiceLinks;
import dev.outpost.channel.guard.NettyExtensions;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.config.ConfigValidationException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The command {@code ./outpost serve}: options become configuration, then Quarkus starts. */
@QuarkusMain
public final class ServeMain {
    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;

    private static final String PREFIX = "outpost.serving.";
    static final ServerOptions OPTIONS = new ServerOptions(PREFIX, """
                    Usage: outpost serve --model URI [OPTIONS]
                    Serves models to clients of OpenAI's API.
                    """, 26, false)
            .list("model", "URI", "The model, or NAME=URI; several by several options.")
            .list("adapter", "NAME=URI", "A LoRA adapter of the model, or MODEL:NAME=URI; several by several options.")
            .option("machine", "PROVIDER:GPU", "The machine to compute on; mock:any by default.")
            .option("endpoint", "HOST:PORT", "A running machine, or unix:FILE.")
            .option("host", "ADDRESS", "The address to serve at; 127.0.0.1 by default, 0.0.0.0 for all addresses.")
            .option("port", "NUMBER", "The port of the API; 8000 by default, 0 for a free one.")
            .option("dtype", "DTYPE", "Cast weights to this dtype while they are loaded, such as bfloat16.")
            .option("quantize", "int8|int4", "Quantize the weights of layers on the machine as they are read.")
            .option("texts", "NUMBER", "The number of texts that are generated at a time; 16 by default.")
            .option("text-tokens", "NUMBER", "The maximum number of tokens of a text, with its prompt.")
            .option("cache-tokens", "NUMBER", "The maximum number of tokens of all texts of a model together.")
            .option(
                    "cache-memory",
                    "SIZE",
                    "The memory for texts of all models together, such as 8G; instead of tokens.")
            .option("step-tokens", "NUMBER", "The number of tokens in a step; 256 by default.")
            .option("waiting", "NUMBER", "The maximum number of waiting requests; 256 by default.")
            .option(
                    "api-keys-file",
                    "FILE",
                    "A key in each line, as NAME:SECRET; without keys, every request is accepted.")
            .option(
                    "gateway",
                    "",
                    "Serve the deployments of a backend instead; OUTPOST_API and OUTPOST_API_KEY select it.")
            .option("backend", "", "Accept the keys of a backend's projects, and bill their calls there.");

    private ServeMain() {}

    public static void main(String... arguments) {
        Optional<Map<String, String>> read = parse(arguments);
        if (read.isEmpty()) {
            System.out.print(OPTIONS.help());
            return;
        }
        read.get().forEach(System::setProperty);
        refuseServiceLink();
        requireModel();
        NettyExtensions.enable();
        Quarkus.run(ServeApplication.class, (status, problem) -> {
            explain(problem);
            System.exit(problem == null ? status : FAILED);
        });
    }

    private static Optional<Map<String, String>> parse(String... arguments) {
        try {
            return OPTIONS.parse(arguments);
        } catch (IllegalArgumentException failure) {
            throw refuse(failure.getMessage());
        }
    }

    private static void refuseServiceLink() {
        try {
            ServiceLinks.refuse(PREFIX + "port");
        } catch (IllegalArgumentException failure) {
            throw refuse(failure.getMessage());
        }
    }

    private static void requireModel() {
        if (Boolean.parseBoolean(System.getProperty(PREFIX + "gateway"))
                || Boolean.parseBoolean(System.getenv("OUTPOST_SERVING_GATEWAY"))) {
            return;
        }
        boolean isSaid = Optional.ofNullable(System.getProperty(PREFIX + "model"))
                .or(() -> Optional.ofNullable(System.getenv("OUTPOST_SERVING_MODEL")))
                .filter(text -> !text.isBlank())
                .isPresent();
        if (!isSaid) {
            throw refuse("a model is missing: add --model URI, such as file:/models/SmolLM2-135M");
        }
    }

    private static IllegalStateException refuse(String why) {
        System.err.println("outpost serve: " + why);
        System.exit(BAD_USAGE);
        return new IllegalStateException(why);
    }

    /**
     * Prints a sentence about why the server cannot serve. Only a defect of the server itself is printed with a stack
     * trace.
     */
    private static void explain(Throwable problem) {
        Throwable root = problem;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        switch (root) {
            case null -> {}
            case IOException refused -> System.err.println("outpost serve: " + refused.getMessage());
            case ConfigValidationException bad -> System.err.println("outpost serve: " + bad.getMessage());
            case IllegalArgumentException bad -> System.err.println("outpost serve: " + bad.getMessage());
            default -> problem.printStackTrace();
        }
    }
}
