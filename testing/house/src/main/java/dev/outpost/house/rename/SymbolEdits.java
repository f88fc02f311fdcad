package dev.outpost.house.rename;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ReferenceTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocSourcePositions;
import com.sun.source.util.DocTreePath;
import com.sun.source.util.DocTreePathScanner;
import com.sun.source.util.TreePath;
import dev.outpost.house.source.JavaLexer;
import dev.outpost.house.source.JavaToken;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;

/** The edits of one source: of declarations, references, and references in Javadoc. */
final class SymbolEdits extends NameScanner {
    /** They mean a constructor, but are not named by its class. */
    private static final Set<String> CONSTRUCTOR_CALLS = Set.of("this", "super");

    private final RenamePlan plan;
    private final Map<Integer, TextEdit> edits = new TreeMap<>();
    private final Map<String, String> imports = new HashMap<>();
    private final Set<String> ownTypes = new HashSet<>();

    private SymbolEdits(AttributedSources sources, CompilationUnitTree unit, RenamePlan plan) {
        super(sources, unit);
        this.plan = plan;
        for (ImportTree each : unit.getImports()) {
            String name = each.getQualifiedIdentifier().toString();
            imports.put(name.substring(name.lastIndexOf('.') + 1), name);
        }
    }

    static Collection<TextEdit> of(AttributedSources sources, CompilationUnitTree unit, RenamePlan plan) {
        SymbolEdits edits = new SymbolEdits(sources, unit, plan);
        edits.scan(unit, null);
        return edits.edits.values();
    }

    @Override
    void declared(Element element, Tree tree, String name, int offset) {
        if (element instanceof TypeElement) {
            ownTypes.add(name);
        }
        edit(element, name, offset);
    }

    @Override
    void referred(Element element, Tree tree, String name, int offset) {
        edit(element, name, offset);
    }

    @Override
    void imported(List<? extends Element> members, String name, int offset) {
        Set<String> better = members.stream()
                .map(member -> plan.nameOf(member) == null ? name : plan.nameOf(member))
                .collect(Collectors.toSet());
        if (better.size() > 1) {
            throw new RefusedRenameException(sources.source(unit).path() + " imports " + name
                    + " statically, of which some would have another name: " + better);
        }
        better.forEach(each -> put(name, each, offset));
    }

    private void edit(Element element, String name, int offset) {
        String better = plan.nameOf(element);
        if (better != null && !CONSTRUCTOR_CALLS.contains(name)) {
            put(name, better, offset);
        }
    }

    private void put(String name, String better, int offset) {
        if (!name.equals(better)) {
            edits.put(offset, new TextEdit(offset, offset + name.length(), better));
        }
    }

    @Override
    public Void visitClass(ClassTree type, Void none) {
        document();
        return super.visitClass(type, none);
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
        document();
        return super.visitMethod(method, none);
    }

    @Override
    public Void visitVariable(VariableTree variable, Void none) {
        document();
        return super.visitVariable(variable, none);
    }

    @Override
    public Void visitPackage(PackageTree declaration, Void none) {
        document();
        return super.visitPackage(declaration, none);
    }

    private void document() {
        TreePath path = getCurrentPath();
        DocCommentTree comment = sources.trees().getDocCommentTree(path);
        if (comment != null) {
            new References(comment).scan(new DocTreePath(path, comment), null);
        }
    }

    private final class References extends DocTreePathScanner<Void, Void> {
        private final DocCommentTree comment;
        private final DocSourcePositions positions = sources.trees().getSourcePositions();

        References(DocCommentTree comment) {
            this.comment = comment;
        }

        @Override
        public Void visitParam(ParamTree parameter, Void none) {
            Element owner = sources.trees().getElement(getCurrentPath().getTreePath());
            String name = parameter.getName().getName().toString();
            int offset = (int) positions.getStartPosition(unit, comment, parameter.getName());
            if (!parameter.isTypeParameter() && offset >= 0 && text.startsWith(name, offset)) {
                parameters(owner).stream()
                        .filter(each -> each.getSimpleName().contentEquals(name))
                        .forEach(each -> SymbolEdits.this.edit(each, name, offset));
            }
            return super.visitParam(parameter, none);
        }

        private List<? extends Element> parameters(Element owner) {
            return switch (owner) {
                case ExecutableElement method -> method.getParameters();
                case TypeElement type -> type.getRecordComponents();
                case null, default -> List.<RecordComponentElement>of();
            };
        }

        @Override
        public Void visitReference(ReferenceTree reference, Void none) {
            int start = (int) positions.getStartPosition(unit, comment, reference);
            int end = (int) positions.getEndPosition(unit, comment, reference);
            if (start >= 0 && end > start) {
                edit(text.substring(start, end), start, sources.trees().getElement(getCurrentPath()));
            }
            return super.visitReference(reference, none);
        }

        /**
         * Edits a reference of the form {@code Type#member(Types)}. Resolves the names of types in this source, and the member by its
         * symbol.
         */
        private void edit(String written, int start, Element element) {
            int member = written.indexOf('#');
            String before = "";
            for (JavaToken token : JavaLexer.tokens(written)) {
                if (token.kind() != JavaToken.Kind.NAME) {
                    continue;
                }
                String name = token.in(written);
                boolean isMember = member >= 0 && token.start() == member + 1;
                boolean isQualified = token.start() > 0 && written.charAt(token.start() - 1) == '.';
                before = isQualified ? before + "." + name : name;
                if (isMember && element != null) {
                    SymbolEdits.this.edit(element, name, start + token.start());
                } else if (!isMember) {
                    editType(before, name, start + token.start());
                }
            }
        }

        private void editType(String written, String name, int offset) {
            plan.types().forEach((type, better) -> {
                if (type.getSimpleName().contentEquals(name) && isMeant(type, written)) {
                    put(name, better, offset);
                }
            });
        }
    }

    /** Returns true if a name in this source, perhaps with a package or class before it, means a type. */
    private boolean isMeant(TypeElement type, String written) {
        String qualified = type.getQualifiedName().toString();
        if (written.contains(".")) {
            return qualified.endsWith("." + written) || qualified.equals(written);
        }
        String imported = imports.get(written);
        if (imported != null) {
            return imported.equals(qualified);
        }
        boolean isNested = type.getEnclosingElement() instanceof TypeElement;
        Element around = type.getEnclosingElement();
        while (!(around instanceof PackageElement)) {
            around = around.getEnclosingElement();
        }
        String ownPackage =
                unit.getPackageName() == null ? "" : unit.getPackageName().toString();
        boolean isNear = ((PackageElement) around).getQualifiedName().contentEquals(ownPackage)
                || imports.containsValue(((PackageElement) around).getQualifiedName() + ".*");
        return isNear && (!isNested || ownTypes.contains(written));
    }
}
