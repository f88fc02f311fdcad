package dev.outpost.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version that the build wrote into build.properties. */
final class BuildVersion implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        try (InputStream stream = BuildVersion.class.getResourceAsStream("build.properties")) {
            Properties properties = new Properties();
            properties.load(stream);
            return new String[] {"outpost " + properties.getProperty("version"), "Java " + Runtime.version()};
        }
    }
}
