package dev.outpost.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of the pom.xml in the root of the sources. */
record ProjectPom(Path root) {
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>outpost-parent</artifactId>\\s*<version>([^<]+)</version>");
    private static final Pattern PUBLIC_PACKAGES = Pattern.compile("<public.packages>([^<]+)</public.packages>");

    String version() throws IOException {
        return value(VERSION, "version");
    }

    /** Returns the names of the packages that users import. */
    List<String> publicPackages() throws IOException {
        return List.of(value(PUBLIC_PACKAGES, "list of public packages").split("\\s*,\\s*"));
    }

    private String value(Pattern pattern, String name) throws IOException {
        Matcher matcher = pattern.matcher(Files.readString(root.resolve("pom.xml")));
        if (!matcher.find()) {
            throw new ReleaseException("pom.xml has no " + name);
        }
        return matcher.group(1).strip();
    }
}
