package dev.outpost.house.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A module of the build.
 *
 * @param folder relative to the root, such as {@code gpu-runtime/core}
 * @param packages the packages of its main code
 * @param imports the folders of the modules on its class path at compile time
 * @param loads the folders of the modules that are on its class path at run time only
 */
record ProjectModule(String folder, Set<String> packages, Set<String> imports, Set<String> loads) {
    private static final Path SOURCES = Path.of("src/main/java");

    /** Reads the poms below a root. Returns the modules with main code, in the order of the build; those below {@code testing} are left out. */
    static List<ProjectModule> below(Path root) throws IOException {
        Map<String, Element> poms = new LinkedHashMap<>();
        Map<String, String> folders = new LinkedHashMap<>();
        for (Element module : descendants(parse(root.resolve("pom.xml")), "module")) {
            String folder = module.getTextContent().strip();
            if (!folder.startsWith("testing/")
                    && Files.isDirectory(root.resolve(folder).resolve(SOURCES))) {
                Element pom = parse(root.resolve(folder).resolve("pom.xml"));
                poms.put(folder, pom);
                folders.put(text(pom, "artifactId"), folder);
            }
        }
        List<ProjectModule> modules = new ArrayList<>();
        for (Map.Entry<String, Element> pom : poms.entrySet()) {
            modules.add(new ProjectModule(
                    pom.getKey(),
                    packages(root.resolve(pom.getKey()).resolve(SOURCES)),
                    dependencies(pom.getValue(), "compile", folders),
                    dependencies(pom.getValue(), "runtime", folders)));
        }
        return modules;
    }

    private static Set<String> packages(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace('\\', '/'))
                    .map(folder -> folder.replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> dependencies(Element pom, String scope, Map<String, String> folders) {
        return children(pom, "dependencies").stream()
                .flatMap(all -> children(all, "dependency").stream())
                .filter(dependency -> scope.equals(text(dependency, "scope").replaceFirst("^$", "compile")))
                .map(dependency -> folders.get(text(dependency, "artifactId")))
                .filter(folder -> folder != null)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Element parse(Path pom) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile())
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException failure) {
            throw new IOException(pom + " is no XML", failure);
        }
    }

    private static String text(Element parent, String name) {
        return children(parent, name).stream()
                .map(child -> child.getTextContent().strip())
                .findFirst()
                .orElse("");
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> children = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element && element.getTagName().equals(name)) {
                children.add(element);
            }
        }
        return children;
    }

    private static List<Element> descendants(Element root, String name) {
        List<Element> elements = new ArrayList<>();
        for (int index = 0; index < root.getElementsByTagName(name).getLength(); index++) {
            elements.add((Element) root.getElementsByTagName(name).item(index));
        }
        return elements;
    }
}
