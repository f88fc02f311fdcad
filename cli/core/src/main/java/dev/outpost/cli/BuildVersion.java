package dev.outpost.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The text of {@code --version}: the version that the build wrote into build.properties. */
public final class BuildVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"outpost " + text(), "Java " + Runtime.version()};
    }

    /** Returns the version without further text. */
    static String text() {
        try (InputStream stream = BuildVersion.class.getResourceAsStream("build.properties")) {
            Properties properties = new Properties();
            properties.load(stream);
            return properties.getProperty("version");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
