package dev.outpost.runtime.server;

import dev.outpost.runtime.session.RuntimeTermination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The file with the reason why the machine ended, for operators who find that it has stopped. */
final class ExitReasonFile {
    private static final Logger LOG = Logger.getLogger(ExitReasonFile.class);

    private final @Nullable Path file;

    private ExitReasonFile(@Nullable Path file) {
        this.file = file;
    }

    static ExitReasonFile at(@Nullable Path file) {
        return new ExitReasonFile(file);
    }

    /** Returns the file for a machine that failed before it had a {@link RuntimeConfig}. */
    static ExitReasonFile ofConfiguration() {
        return at(ConfigProvider.getConfig()
                .getOptionalValue("outpost.runtime.end.file", Path.class)
                .orElse(null));
    }

    /** Writes the reason. A failure to write does not stop the end of the machine. */
    void write(RuntimeTermination termination) {
        if (file != null) {
            write(file, termination.line() + "\n");
        }
    }

    private static void write(Path target, String line) {
        try {
            Files.writeString(target, line);
        } catch (IOException failure) {
            LOG.warnf("outpost.runtime.end.file: %s cannot be written: %s", target, failure);
        }
    }
}
