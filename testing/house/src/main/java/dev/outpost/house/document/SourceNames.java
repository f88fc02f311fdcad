package dev.outpost.house.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types and packages that Java sources declare, tests and nested types included. */
final class SourceNames {
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

    private final Map<String, String> sources = new HashMap<>();
    private final Set<String> packages = new HashSet<>();

    SourceNames(List<Path> files) throws IOException {
        for (Path file : files) {
            String source = Files.readString(file);
            TYPE.matcher(source).results().forEach(type -> sources.merge(type.group(1), source, String::concat));
            Matcher declared = PACKAGE.matcher(source);
            if (declared.find()) {
                addPackage(declared.group(1));
            }
        }
    }

    private void addPackage(String name) {
        for (int end = name.length(); end > 0; end = name.lastIndexOf('.', end - 1)) {
            packages.add(name.substring(0, end));
        }
    }

    boolean hasType(String simpleName) {
        return sources.containsKey(simpleName);
    }

    boolean hasMethod(String type, String method) {
        return sources.getOrDefault(type, "").contains(" " + method + "(");
    }

    /** True if a package has this name, or a name that begins with it and a dot. */
    boolean hasPackage(String name) {
        return packages.contains(name);
    }
}
