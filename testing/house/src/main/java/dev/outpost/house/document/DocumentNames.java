package dev.outpost.house.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Looks up the names in documents: classes, methods of tests, packages and paths between back quotes, and the targets of links. A class is the
 * text of a link without a target, or a word with a capital letter inside; {@code testing/house/foreign-names.txt} lists those of other projects.
 */
public final class DocumentNames {
    private static final String FOREIGN = "testing/house/foreign-names.txt";
    private static final Pattern CODE_BLOCK = Pattern.compile("(?s)^```.*?^```|(?-s)^ {4}.*$", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("`([^`\n]+)`");
    private static final Pattern CLASS =
            Pattern.compile("(?:[a-z]\\w*\\.)*([A-Z][a-z0-9]+[A-Z]\\w*)(?:\\.(\\w+))?(?:\\(.*\\))?");
    private static final Pattern PACKAGE = Pattern.compile("dev\\.outpost(?:\\.[a-z]\\w*)*");
    private static final Pattern PATH = Pattern.compile("([\\w-]+)(?:/[\\w.*-]+)+/?");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s:#]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern LINK_TO_CLASS = Pattern.compile("\\[`(\\w+)`](?![(:])");
    private static final Pattern TITLE = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

    private final Path root;
    private final List<Path> pages;
    private final Set<String> foreignNames;
    private final SourceNames sourceNames;

    private DocumentNames(Path root) throws IOException {
        this.root = root;
        this.foreignNames = Set.copyOf(Files.readAllLines(root.resolve(FOREIGN)));
        ProjectFiles files = ProjectFiles.below(root);
        this.pages = files.pages();
        this.sourceNames = new SourceNames(files.sources());
    }

    /** Returns the names that do not exist, each as {@code page: name}. */
    public static List<String> missing(Path root) throws IOException {
        DocumentNames names = new DocumentNames(root);
        List<String> missing = new ArrayList<>();
        for (Path page : names.pages) {
            for (String name : names.missingIn(page)) {
                missing.add(root.relativize(page) + ": " + name);
            }
        }
        return missing;
    }

    private Set<String> missingIn(Path page) throws IOException {
        String text = CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
        Set<String> missing = QUOTED.matcher(text)
                .results()
                .map(quoted -> quoted.group(1))
                .filter(name -> !exists(name, page.getParent()))
                .collect(Collectors.toCollection(TreeSet::new));
        LINK_TO_CLASS
                .matcher(text)
                .results()
                .filter(link -> !sourceNames.hasType(link.group(1)))
                .forEach(link -> missing.add(link.group()));
        Matcher link = LINK.matcher(text);
        while (link.find()) {
            if (!hasTarget(page, link.group(1), link.group(2))) {
                missing.add(link.group().substring(1));
            }
        }
        return missing;
    }

    private boolean exists(String name, Path folder) {
        Matcher type = CLASS.matcher(name);
        if (type.matches()) {
            return foreignNames.contains(type.group(1)) || hasType(type.group(1), type.group(2));
        }
        if (PACKAGE.matcher(name).matches()) {
            return sourceNames.hasPackage(name);
        }
        Matcher path = PATH.matcher(name);
        boolean isPath = path.matches() && Files.isDirectory(root.resolve(path.group(1)));
        return !isPath || ("/" + name).contains("/target/") || hasPath(root, name) || hasPath(folder, name);
    }

    private boolean hasType(String type, String member) {
        boolean isTestMethod = type.endsWith("Test") && member != null;
        return isTestMethod ? sourceNames.hasMethod(type, member) : sourceNames.hasType(type);
    }

    /** True if the file exists, or the folder before the first part with an asterisk. */
    private static boolean hasPath(Path folder, String name) {
        int pattern = name.indexOf('*');
        return Files.exists(folder.resolve(pattern < 0 ? name : name.substring(0, name.lastIndexOf('/', pattern))));
    }

    private static boolean hasTarget(Path page, String path, String anchor) throws IOException {
        Path target = path.isEmpty() ? page : page.resolveSibling(path);
        boolean isPage = target.toString().endsWith(".md");
        return Files.exists(target)
                && (anchor == null || !isPage || anchors(target).contains(anchor));
    }

    private static Set<String> anchors(Path page) throws IOException {
        return TITLE.matcher(Files.readString(page))
                .results()
                .map(title -> title.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
                .map(title -> title.replaceAll("[^\\w\\- ]", "").toLowerCase().replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
