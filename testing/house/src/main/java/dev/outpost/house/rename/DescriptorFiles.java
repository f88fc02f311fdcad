package dev.outpost.house.rename;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/** Files that name classes by their full names: {@code META-INF/services} and {@code module-info.java}. */
final class DescriptorFiles {
    private static final String SERVICES = "META-INF/services/";

    private DescriptorFiles() {}

    /** Renames in them; returns how many files have changed. */
    static int rename(Path root, Map<TypeElement, String> types, Elements elements) throws IOException {
        // A nested class comes before the one around it.
        Map<String, String> names = new TreeMap<>(Comparator.reverseOrder());
        types.forEach((type, better) -> {
            String old = elements.getBinaryName(type).toString();
            int end = Math.max(old.lastIndexOf('.'), old.lastIndexOf('$')) + 1;
            names.put(old, old.substring(0, end) + better);
        });
        int changed = 0;
        for (Path file : TextFiles.below(root)) {
            String path = TextFiles.relative(root, file);
            if (path.contains(SERVICES) || path.endsWith("/module-info.java")) {
                changed += rename(file, path.contains(SERVICES), names) ? 1 : 0;
            }
        }
        return changed;
    }

    private static boolean rename(Path file, boolean isService, Map<String, String> names) throws IOException {
        String text = Files.readString(file);
        String better = text;
        for (Map.Entry<String, String> name : names.entrySet()) {
            better = Pattern.compile("(?<![\\w.$])" + Pattern.quote(name.getKey()) + "(?!\\w)")
                    .matcher(better)
                    .replaceAll(Matcher.quoteReplacement(name.getValue()));
        }
        if (!better.equals(text)) {
            Files.writeString(file, better);
        }
        String service = names.get(file.getFileName().toString());
        if (isService && service != null) {
            Files.move(file, file.resolveSibling(service));
        }
        return !better.equals(text) || isService && service != null;
    }
}
