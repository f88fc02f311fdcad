package dev.outpost.runtime.server;

import dev.outpost.channel.ServiceLinks;
import dev.outpost.runtime.session.RuntimeTermination;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The command {@code ./outpost runtime}: converts options to configuration, and starts Quarkus. */
@QuarkusMain
public final class RuntimeMain {
    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;

    private RuntimeMain() {}

    public static void main(String... arguments) {
        Optional<Map<String, String>> read = parse(arguments);
        if (read.isEmpty()) {
            System.out.print(RuntimeArguments.OPTIONS.help());
            return;
        }
        RuntimeArguments.apply(read.get());
        refuseServiceLinks();
        PeerBounds.install();
        awaitKey();
        Quarkus.run(RuntimeApplication.class, RuntimeMain::ended);
    }

    private static void awaitKey() {
        try {
            KeyFileWait.await();
        } catch (IOException | IllegalArgumentException failure) {
            ended(FAILED, failure);
        }
    }

    private static void refuseServiceLinks() {
        try {
            ServiceLinks.refuse(RuntimeArguments.PREFIX + "port");
            ServiceLinks.refuse(RuntimeArguments.PREFIX + "management-port");
        } catch (IllegalArgumentException failure) {
            ended(BAD_USAGE, failure);
        }
    }

    private static Optional<Map<String, String>> parse(String... arguments) {
        try {
            return RuntimeArguments.OPTIONS.parse(arguments);
        } catch (IllegalArgumentException failure) {
            explain(failure);
            System.exit(BAD_USAGE);
            throw failure;
        }
    }

    private static void ended(int status, Throwable problem) {
        if (problem != null) {
            StartFailure failure = new StartFailure(problem);
            failure.lines().forEach(System.err::println);
            ExitReasonFile.ofConfiguration().write(RuntimeTermination.failed(failure.sentence()));
        }
        System.exit(status);
    }

    private static void explain(Exception problem) {
        System.err.println("outpost runtime: " + problem.getMessage());
    }
}
