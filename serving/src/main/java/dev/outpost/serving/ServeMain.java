package dev.outpost.serving;

import dev.outpost.channel.ServiceLinks;
import dev.outpost.channel.guard.NettyExtensions;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.config.ConfigValidationException;
import java.io.IOException;
import java.util.Optional;

/** The command {@code ./outpost serve}: options become configuration, then Quarkus starts. */
@QuarkusMain
public final class ServeMain {
    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;

    private ServeMain() {}

    public static void main(String... arguments) {
        ServeArguments read = parse(arguments);
        if (read.isHelp()) {
            System.out.print(ServeArguments.help());
            return;
        }
        read.apply();
        refuseServiceLink();
        requireModel();
        NettyExtensions.enable();
        Quarkus.run(ServeApplication.class, (status, problem) -> {
            explain(problem);
            System.exit(problem == null ? status : FAILED);
        });
    }

    private static ServeArguments parse(String... arguments) {
        try {
            return ServeArguments.parse(arguments);
        } catch (IllegalArgumentException failure) {
            throw refuse(failure.getMessage());
        }
    }

    private static void refuseServiceLink() {
        try {
            ServiceLinks.refuse(ServeOption.PORT.property());
        } catch (IllegalArgumentException failure) {
            throw refuse(failure.getMessage());
        }
    }

    private static void requireModel() {
        if (Boolean.parseBoolean(System.getProperty(ServeArguments.GATEWAY_PROPERTY))
                || Boolean.parseBoolean(System.getenv("OUTPOST_SERVING_GATEWAY"))) {
            return;
        }
        boolean isSaid = Optional.ofNullable(System.getProperty(ServeOption.MODEL.property()))
                .or(() -> Optional.ofNullable(System.getenv("OUTPOST_SERVING_MODEL")))
                .filter(text -> !text.isBlank())
                .isPresent();
        if (!isSaid) {
            throw refuse("which model? --model URI, such as file:/models/SmolLM2-135M");
        }
    }

    private static IllegalStateException refuse(String why) {
        System.err.println("outpost serve: " + why);
        System.exit(BAD_USAGE);
        return new IllegalStateException(why);
    }

    /** The reason why a server cannot serve is a sentence; only a defect of ours shows where it is. */
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
