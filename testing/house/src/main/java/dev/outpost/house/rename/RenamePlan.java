package dev.outpost.house.rename;

import com.sun.source.tree.CatchTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import dev.outpost.house.check.CaughtNames;
import dev.outpost.house.source.CamelCase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.ElementFilter;

/** The new name of each symbol that the rows name. */
final class RenamePlan {
    /** Packages and annotations in a written type. */
    private static final Pattern PACKAGE = Pattern.compile("(?:[a-z]\\w*\\.)+|@[\\w.]+(?:\\([^)]*\\))? ");

    private final AttributedSources sources;
    private final List<TypeElement> types = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();
    private final Map<Element, String> names = new LinkedHashMap<>();
    private final Map<TypeElement, String> newTypes = new LinkedHashMap<>();
    /** Variables that a row about a word or about caught exceptions renames: they may be left out if the name is taken. */
    private final Set<Element> optional = new HashSet<>();

    /** Further names for them if the first one is taken. */
    private final Map<Element, List<String>> others = new HashMap<>();

    private final List<String> leftOut = new ArrayList<>();
    private final Set<Element> used = new HashSet<>();

    /** Rows that cannot be followed, and why. */
    private final List<String> refused = new ArrayList<>();

    private final Set<Element> kept = new HashSet<>();
    private Map<String, List<Variable>> variablesByType = Map.of();

    /**
     * A variable of the sources.
     *
     * @param type the type as it is written, without packages
     */
    private record Variable(VariableElement element, String type, String path, boolean isCaught) {}

    private RenamePlan(AttributedSources sources) {
        this.sources = sources;
        for (CompilationUnitTree unit : sources.units()) {
            collect(unit);
        }
        variablesByType = variables.stream().collect(Collectors.groupingBy(Variable::type));
    }

    /** @param isSkipping true to leave out rows that cannot be followed */
    static RenamePlan of(AttributedSources sources, List<RenameRow> rows, boolean isSkipping) {
        RenamePlan plan = new RenamePlan(sources);
        Map<Boolean, List<RenameRow>> byKept =
                rows.stream().collect(Collectors.partitioningBy(row -> row.kind() == RenameRow.Kind.KEEP));
        byKept.get(true).forEach(plan::tryAdd);
        byKept.get(false).forEach(plan::tryAdd);
        if (!isSkipping && !plan.refused.isEmpty()) {
            throw new RefusedRenameException(String.join("\n", plan.refused));
        }
        return plan;
    }

    private void tryAdd(RenameRow row) {
        try {
            add(row);
        } catch (RefusedRenameException refusal) {
            refused.add(refusal.getMessage());
        }
    }

    private void collect(CompilationUnitTree unit) {
        String path = sources.source(unit).path();
        new NameScanner(sources, unit) {
            @Override
            void declared(Element element, Tree tree, String name, int offset) {
                if (element instanceof TypeElement type) {
                    types.add(type);
                } else if (tree instanceof VariableTree && element instanceof VariableElement variable) {
                    boolean isCaught = getCurrentPath().getParentPath().getLeaf() instanceof CatchTree;
                    variables.add(new Variable(variable, written(variable), path, isCaught));
                }
            }

            @Override
            void referred(Element element, Tree tree, String name, int offset) {
                if (element.getKind() == ElementKind.EXCEPTION_PARAMETER) {
                    used.add(element);
                }
            }

            @Override
            void imported(List<? extends Element> members, String name, int offset) {}
        }.scan(unit, null);
    }

    private void add(RenameRow row) {
        switch (row.kind()) {
            case TYPE -> addType(row);
            case METHOD -> addMethods(row);
            case FIELD -> addField(row);
            case VARIABLE -> addVariables(row);
            case CAUGHT -> addCaught(row);
            case KEEP -> kept.add(field(row));
        }
    }

    private void addType(RenameRow row) {
        TypeElement type = type(row.target());
        refuseTaken(row.replacement());
        put(type, row.replacement());
        newTypes.put(type, row.replacement());
    }

    private void refuseTaken(String name) {
        Stream.concat(types.stream(), newTypes.keySet().stream())
                .filter(type -> newTypes.getOrDefault(type, type.getSimpleName().toString())
                        .equals(name))
                .findFirst()
                .ifPresent(taken -> {
                    throw new RefusedRenameException("the name " + name + " is taken by " + taken.getQualifiedName());
                });
        if (sources.elements().getTypeElement("java.lang." + name) != null) {
            throw new RefusedRenameException("the name " + name + " is taken by java.lang." + name);
        }
    }

    private TypeElement type(String qualifiedName) {
        return types.stream()
                .filter(type -> type.getQualifiedName().contentEquals(qualifiedName))
                .findFirst()
                .orElseThrow(() -> new RefusedRenameException("there is no type " + qualifiedName));
    }

    private void addMethods(RenameRow row) {
        TypeElement owner = type(row.owner());
        List<ExecutableElement> methods = ElementFilter.methodsIn(owner.getEnclosedElements()).stream()
                .filter(method -> method.getSimpleName().contentEquals(row.member())
                        && (row.parameters() < 0
                                || row.parameters() == method.getParameters().size()))
                .toList();
        if (methods.isEmpty()) {
            throw new RefusedRenameException("there is no method " + row.target());
        }
        putMethods(methods, row.replacement());
    }

    private void putMethods(List<ExecutableElement> methods, String name) {
        Collection<ExecutableElement> all = new MethodFamilies(sources, types).of(methods);
        for (ExecutableElement method : all) {
            TypeElement owner = (TypeElement) method.getEnclosingElement();
            if (!types.contains(owner)) {
                throw new RefusedRenameException(method.getSimpleName() + " overrides " + owner.getQualifiedName() + "."
                        + method + ", which is not ours");
            }
            if (!names.containsKey(method)) {
                refuseTaken(owner, method, name);
            }
        }
        for (ExecutableElement method : all) {
            if (names.containsKey(method)) {
                continue;
            }
            TypeElement owner = (TypeElement) method.getEnclosingElement();
            put(method, name);
            component(owner, method.getSimpleName().toString())
                    .filter(component -> component.getAccessor().equals(method))
                    .ifPresent(component -> putComponent(owner, component, name));
        }
    }

    private void refuseTaken(TypeElement owner, ExecutableElement method, String name) {
        sources.elements().getAllMembers(owner).stream()
                .filter(member -> member instanceof ExecutableElement other
                        && other.getSimpleName().contentEquals(name)
                        && other.getParameters().size()
                                == method.getParameters().size()
                        && !names.containsKey(other))
                .findFirst()
                .ifPresent(taken -> {
                    throw new RefusedRenameException(owner.getQualifiedName() + " has a method " + taken + " already");
                });
    }

    private void addField(RenameRow row) {
        putVariable(field(row), row.replacement());
    }

    private VariableElement field(RenameRow row) {
        TypeElement owner = type(row.owner());
        return ElementFilter.fieldsIn(owner.getEnclosedElements()).stream()
                .filter(each -> each.getSimpleName().contentEquals(row.member()))
                .findFirst()
                .orElseThrow(() -> new RefusedRenameException("there is no field " + row.target()));
    }

    private void addVariables(RenameRow row) {
        for (Variable variable : variablesByType.getOrDefault(row.owner(), List.of())) {
            String name = variable.element().getSimpleName().toString();
            if (variable.path().startsWith(row.where())
                    && !names.containsKey(variable.element())
                    && !kept.contains(variable.element())) {
                List<String> better = row.replacements().stream()
                        .flatMap(replacement -> better(name, row, replacement).stream())
                        .filter(each -> !each.equals(name))
                        .toList();
                if (!better.isEmpty()) {
                    putOptional(variable.element(), better.getFirst(), better.subList(1, better.size()));
                }
            }
        }
    }

    private static Optional<String> better(String name, RenameRow row, String replacement) {
        if (row.isWholeName()) {
            return name.equals(row.word()) ? Optional.of(replacement) : Optional.empty();
        }
        return CamelCase.indexOf(CamelCase.words(name), CamelCase.words(replacement)) < 0
                ? CamelCase.replace(name, row.member(), replacement)
                : Optional.empty();
    }

    private static String written(VariableElement variable) {
        return PACKAGE.matcher(variable.asType().toString()).replaceAll("").replace(",", ", ");
    }

    private void addCaught(RenameRow row) {
        String[] replacements = row.replacement().split("/");
        for (Variable variable : variables) {
            String type = variable.type();
            if (variable.isCaught()
                    && variable.path().startsWith(row.where())
                    && (row.target().equals("*") || row.target().equals(type))
                    && !CaughtNames.isStandard(
                            variable.element().getSimpleName().toString(), type)) {
                boolean isUsed = used.contains(variable.element());
                String better = isUsed ? replacements[0] : replacements[replacements.length - 1];
                List<String> names = List.of(better.split("\\|"));
                putOptional(variable.element(), names.getFirst(), names.subList(1, names.size()));
            }
        }
    }

    private void putOptional(VariableElement variable, String name, List<String> otherNames) {
        optional.add(variable);
        try {
            putVariable(variable, name);
            if (!variable.getKind().isField()) {
                others.put(variable, otherNames);
            }
        } catch (RefusedRenameException refusal) {
            leftOut.add(variable + ": " + refusal.getMessage());
        }
    }

    /** The component of a record is also a field, an accessor and a parameter. */
    private void putVariable(VariableElement variable, String name) {
        if (variable.getEnclosingElement() instanceof TypeElement owner && owner.getKind() == ElementKind.RECORD) {
            RecordComponentElement component =
                    component(owner, variable.getSimpleName().toString()).orElse(null);
            if (component != null) {
                putMethods(List.of(component.getAccessor()), name);
                return;
            }
        }
        put(variable, name);
    }

    private void putComponent(TypeElement owner, RecordComponentElement component, String name) {
        String old = component.getSimpleName().toString();
        put(component, name);
        Stream<VariableElement> parameters = ElementFilter.constructorsIn(owner.getEnclosedElements()).stream()
                .filter(sources.elements()::isCanonicalConstructor)
                .flatMap(constructor -> constructor.getParameters().stream());
        Stream.concat(ElementFilter.fieldsIn(owner.getEnclosedElements()).stream(), parameters)
                .filter(each -> each.getSimpleName().contentEquals(old))
                .forEach(each -> put(each, name));
    }

    private static Optional<RecordComponentElement> component(TypeElement owner, String name) {
        return ElementFilter.recordComponentsIn(owner.getEnclosedElements()).stream()
                .filter(each -> each.getSimpleName().contentEquals(name))
                .findFirst();
    }

    private void put(Element element, String name) {
        String other = names.putIfAbsent(element, name);
        if (other != null && !other.equals(name)) {
            throw new RefusedRenameException(element + " would be named " + other + " and " + name);
        }
    }

    /** Returns the new name of a symbol, or null. A constructor is named by its class. */
    String nameOf(Element element) {
        return element.getKind() == ElementKind.CONSTRUCTOR
                ? names.get(element.getEnclosingElement())
                : names.get(element);
    }

    Map<TypeElement, String> types() {
        return newTypes;
    }

    List<TypeElement> allTypes() {
        return types;
    }

    int size() {
        return names.size();
    }

    boolean isOptional(Element element) {
        return optional.contains(element);
    }

    /** Returns the variables that may be left out. */
    Set<Element> optional() {
        return optional;
    }

    /** Gives a variable its next name, because the previous one is taken; false if it has no other name. */
    boolean renameOtherwise(Element element) {
        List<String> left = others.getOrDefault(element, List.of());
        if (left.isEmpty()) {
            return false;
        }
        names.put(element, left.getFirst());
        others.put(element, left.subList(1, left.size()));
        return true;
    }

    /** Keeps the name of a variable. */
    void leaveOut(Element element, String why) {
        if (names.remove(element) != null) {
            leftOut.add(why);
        }
    }

    /** Returns the rows that were not followed, and why. */
    List<String> refused() {
        return refused;
    }

    /** Returns the variables that keep their names, and why. */
    List<String> leftOut() {
        return leftOut;
    }
}
