package dev.outpost.runtime.server;

import dev.outpost.runtime.session.RuntimeTermination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/** The file with the reason why the machine ended, for operators who find it gone. */
final class ExitReasonFile {
    private static final Logger LOG = Logger.getLogger(ExitReasonFile.class);

    private final Optional<Path> file;

    private ExitReasonFile(Optional<Path> file) {
        this.file = file;
    }

    static ExitReasonFile at(Optional<Path> file) {
        return new ExitReasonFile(file);
    }

    /** Returns the file for a machine that failed before it had a {@link RuntimeConfig}. */
    static ExitReasonFile ofConfiguration() {
        return at(ConfigProvider.getConfig().getOptionalValue("outpost.runtime.end.file", Path.class));
    }

    /** Writes the reason. A failure to write does not stop the end of the machine. */
    void write(RuntimeTermination termination) {
        file.ifPresent(target -> write(target, termination.line() + "\n"));
    }

    private static void write(Path target, String line) {
        try {
            Files.writeString(target, line);
        } catch (IOException failure) {
            LOG.warnf("outpost.runtime.end.file: %s cannot be written: %s", target, failure);
        }
    }
}
