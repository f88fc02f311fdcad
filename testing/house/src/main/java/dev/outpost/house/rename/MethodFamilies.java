package dev.outpost.house.rename;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Methods that must have one name, since one overrides the other. */
final class MethodFamilies {
    private final AttributedSources sources;
    private final List<TypeElement> types;

    /**
     * Families among classes.
     *
     * @param types all classes of the sources
     */
    MethodFamilies(AttributedSources sources, List<TypeElement> types) {
        this.sources = sources;
        this.types = types;
    }

    /** Returns some methods with all that they override, and all that override them. */
    Set<ExecutableElement> of(List<ExecutableElement> methods) {
        Set<ExecutableElement> family = new HashSet<>(methods);
        String name = methods.getFirst().getSimpleName().toString();
        List<List<ExecutableElement>> pairs =
                types.stream().flatMap(type -> pairs(type, name).stream()).toList();
        boolean grew = true;
        while (grew) {
            grew = false;
            for (List<ExecutableElement> pair : pairs) {
                if (pair.stream().anyMatch(family::contains) && family.addAll(pair)) {
                    grew = true;
                }
            }
        }
        return family;
    }

    /** The methods that a class declares or inherits, each with a method that it overrides in this class. */
    private List<List<ExecutableElement>> pairs(TypeElement type, String name) {
        List<ExecutableElement> all = inherited(type, name);
        List<List<ExecutableElement>> pairs = new ArrayList<>();
        for (ExecutableElement one : all) {
            for (ExecutableElement other : all) {
                if (!one.equals(other) && sources.elements().overrides(one, other, type)) {
                    pairs.add(List.of(one, other));
                }
            }
        }
        return pairs;
    }

    private List<ExecutableElement> inherited(TypeElement type, String name) {
        List<ExecutableElement> found = new ArrayList<>();
        Set<Element> seen = new HashSet<>();
        collect(type, name, found, seen);
        return found;
    }

    private void collect(TypeElement type, String name, List<ExecutableElement> found, Set<Element> seen) {
        if (!seen.add(type)) {
            return;
        }
        ElementFilter.methodsIn(type.getEnclosedElements()).stream()
                .filter(method -> method.getSimpleName().contentEquals(name))
                .forEach(found::add);
        List<TypeMirror> parents = new ArrayList<>(type.getInterfaces());
        parents.add(type.getSuperclass());
        for (TypeMirror parent : parents) {
            if (parent instanceof DeclaredType declared && declared.asElement() instanceof TypeElement element) {
                collect(element, name, found, seen);
            }
        }
    }
}
