package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** Reads elements of small XML files. */
final class Xml {
    private Xml() {}

    static Element read(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
        } catch (ParserConfigurationException | SAXException failure) {
            throw new IOException(file + " is no XML: " + failure.getMessage(), failure);
        }
    }

    static Stream<Element> children(Element parent, String name) {
        return IntStream.range(0, parent.getChildNodes().getLength())
                .mapToObj(parent.getChildNodes()::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .filter(child -> child.getTagName().equals(name));
    }

    static Optional<Element> child(Element parent, String name) {
        return children(parent, name).findFirst();
    }

    /** Returns the children of a name in the first child with the name of the list. */
    static List<Element> descend(Element parent, String list, String name) {
        return child(parent, list).stream()
                .flatMap(found -> children(found, name))
                .toList();
    }

    /** Returns the text of a child; empty if it does not exist. */
    static String text(Element parent, String name) {
        return child(parent, name).map(found -> found.getTextContent().strip()).orElse("");
    }
}
