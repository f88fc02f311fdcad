package dev.outpost.house.rename;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;

/**
 * The declaration to which each name of each source refers. A declaration is identified by its number in its source, so the result does
 * not depend on the names. Before and after a rename they are equal, or the rename has changed what a name means.
 */
final class SymbolBindings {
    private final Map<String, List<Meaning>> byPath = new TreeMap<>();

    /** The declaration to which a name in a line refers. The text is that of an own declaration or of a library's member. */
    private record Meaning(String declaration, int line) {}

    static SymbolBindings of(AttributedSources sources, UnaryOperator<String> oldPath) {
        Map<Element, String> places = new HashMap<>();
        for (CompilationUnitTree unit : sources.units()) {
            String path = oldPath.apply(sources.source(unit).path());
            int[] count = {0};
            new Visitor(sources, unit) {
                @Override
                void declared(Element element, Tree tree, String name, int offset) {
                    places.put(element, path + "#" + count[0]++);
                }
            }.scan(unit, null);
        }
        SymbolBindings bindings = new SymbolBindings();
        for (CompilationUnitTree unit : sources.units()) {
            List<Meaning> meanings = new ArrayList<>();
            new Visitor(sources, unit) {
                @Override
                void referred(Element element, Tree tree, String name, int offset) {
                    if (element.getKind() != ElementKind.PACKAGE) {
                        int line = (int) unit.getLineMap().getLineNumber(offset);
                        meanings.add(new Meaning(place(element, places).intern(), line));
                    }
                }
            }.scan(unit, null);
            bindings.byPath.put(oldPath.apply(sources.source(unit).path()), meanings);
        }
        return bindings;
    }

    /** Implicit members, such as a default constructor or an accessor, are identified by their class and kind. */
    private static String place(Element element, Map<Element, String> places) {
        String place = places.get(element);
        if (place != null) {
            return place;
        }
        Element owner = element.getEnclosingElement();
        if (owner instanceof TypeElement type && places.containsKey(type)) {
            return places.get(type) + "/" + element.getKind() + component(element, type);
        }
        if (owner != null && places.containsKey(owner)) {
            int parameter = owner instanceof ExecutableElement method
                    ? method.getParameters().indexOf(element)
                    : -1;
            return places.get(owner) + "/" + (parameter < 0 ? element.getSimpleName() : parameter);
        }
        boolean isAnonymous = owner instanceof TypeElement type && type.getNestingKind() == NestingKind.ANONYMOUS;
        return (isAnonymous ? "anonymous" : owner) + "." + element.getSimpleName()
                + (element instanceof ExecutableElement method
                        ? "/" + method.getParameters().size()
                        : "");
    }

    private static String component(Element element, TypeElement type) {
        int index = 0;
        for (var component : type.getRecordComponents()) {
            boolean isAccessor = element instanceof ExecutableElement method
                    && component.getAccessor().equals(method);
            if (isAccessor || component.getSimpleName().equals(element.getSimpleName())) {
                return "/" + index;
            }
            index++;
        }
        return element.getKind() == ElementKind.CONSTRUCTOR ? "" : "/" + element.getSimpleName();
    }

    /** Returns the places at which a name means something else than before, by path. */
    Map<String, String> differences(SymbolBindings after) {
        Map<String, String> differences = new TreeMap<>();
        byPath.forEach((path, before) -> {
            List<Meaning> now = after.byPath.getOrDefault(path, List.of());
            for (int i = 0; i < Math.max(before.size(), now.size()); i++) {
                String was = i < before.size() ? before.get(i).declaration() : "nothing";
                String is = i < now.size() ? now.get(i).declaration() : "nothing";
                if (!was.equals(is)) {
                    int line = i < before.size() ? before.get(i).line() : 0;
                    differences.put(path, path + ":" + line + ": a name would mean " + is + ", not " + was);
                    return;
                }
            }
        });
        return differences;
    }

    private static class Visitor extends NameScanner {
        Visitor(AttributedSources sources, CompilationUnitTree unit) {
            super(sources, unit);
        }

        @Override
        void declared(Element element, Tree tree, String name, int offset) {}

        @Override
        void referred(Element element, Tree tree, String name, int offset) {}

        @Override
        void imported(List<? extends Element> members, String name, int offset) {}
    }
}
