package dev.outpost.runtime.server;

import dev.outpost.runtime.session.RuntimeTermination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/** Where it is written down why the machine ended, for those who find it gone. */
final class ExitReasonFile {
    private static final Logger LOG = Logger.getLogger(ExitReasonFile.class);

    private final Optional<Path> file;

    private ExitReasonFile(Optional<Path> file) {
        this.file = file;
    }

    static ExitReasonFile at(Optional<Path> file) {
        return new ExitReasonFile(file);
    }

    /** For a machine that did not come so far as to have a {@link RuntimeConfig}. */
    static ExitReasonFile ofConfiguration() {
        return at(ConfigProvider.getConfig().getOptionalValue("outpost.runtime.end.file", Path.class));
    }

    /** The end goes on where this fails. */
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
