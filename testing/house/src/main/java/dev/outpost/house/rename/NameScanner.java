package dev.outpost.house.rename;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import dev.outpost.house.source.JavaLexer;
import dev.outpost.house.source.NamePositions;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/** Visits the names of a source in order: the declaration or reference of each, and its offset. */
abstract class NameScanner extends TreePathScanner<Void, Void> {
    final AttributedSources sources;
    final CompilationUnitTree unit;
    final String text;
    private final NamePositions positions;

    NameScanner(AttributedSources sources, CompilationUnitTree unit) {
        this.sources = sources;
        this.unit = unit;
        this.text = sources.source(unit).text();
        this.positions = sources.names(unit);
    }

    /** A declaration with its name at an offset. */
    abstract void declared(Element element, Tree tree, String name, int offset);

    /** A reference with its name at an offset. */
    abstract void referred(Element element, Tree tree, String name, int offset);

    @Override
    public Void visitClass(ClassTree type, Void none) {
        declared(type, type.getSimpleName().toString(), positions.of(type));
        return super.visitClass(type, none);
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
        Element element = element();
        if (element != null && element.getKind() == ElementKind.CONSTRUCTOR) {
            String name = element.getEnclosingElement().getSimpleName().toString();
            if (isWritten(element)) {
                declared(method, name, positions.of(method, name));
            }
        } else if (element != null && isWritten(element)) {
            String name = method.getName().toString();
            declared(method, name, positions.of(method, name));
        }
        return super.visitMethod(method, none);
    }

    @Override
    public Void visitVariable(VariableTree variable, Void none) {
        declared(variable, variable.getName().toString(), positions.of(variable));
        return super.visitVariable(variable, none);
    }

    @Override
    public Void visitIdentifier(IdentifierTree identifier, Void none) {
        referred(identifier, identifier.getName().toString(), start(identifier));
        return super.visitIdentifier(identifier, none);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree select, Void none) {
        String name = select.getIdentifier().toString();
        referred(select, name, find(name, select.getExpression(), select));
        return super.visitMemberSelect(select, none);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree reference, Void none) {
        String name = reference.getName().toString();
        referred(reference, name, find(name, reference.getQualifierExpression(), reference));
        return super.visitMemberReference(reference, none);
    }

    /** javac gives no symbol for a static import, since it may stand for several. */
    @Override
    public Void visitImport(ImportTree each, Void none) {
        if (each.isStatic() && each.getQualifiedIdentifier() instanceof MemberSelectTree select) {
            String name = select.getIdentifier().toString();
            Element type = sources.trees()
                    .getElement(new TreePath(new TreePath(getCurrentPath(), select), select.getExpression()));
            if (type instanceof TypeElement owner) {
                List<? extends Element> members = sources.elements().getAllMembers(owner).stream()
                        .filter(member -> member.getSimpleName().contentEquals(name))
                        .toList();
                imported(members, name, find(name, select.getExpression(), select));
            }
        }
        return super.visitImport(each, none);
    }

    /** A static import of all members of one name. */
    abstract void imported(List<? extends Element> members, String name, int offset);

    /** Default constructors and the accessors of records have trees, too. */
    private boolean isWritten(Element element) {
        return sources.elements().getOrigin(element) == Elements.Origin.EXPLICIT;
    }

    private void declared(Tree tree, String name, int offset) {
        Element element = element();
        if (element != null && isAt(name, offset)) {
            declared(element, tree, name, offset);
        }
    }

    private void referred(Tree tree, String name, int offset) {
        Element element = element();
        if (element != null && isAt(name, offset)) {
            referred(element, tree, name, offset);
        }
    }

    private boolean isAt(String name, int offset) {
        return offset >= 0 && !name.isEmpty() && text.startsWith(name, offset);
    }

    private Element element() {
        return sources.trees().getElement(getCurrentPath());
    }

    private int find(String name, Tree before, Tree all) {
        int from = end(before);
        return from < 0 ? -1 : JavaLexer.find(text, name, from, end(all));
    }

    final int start(Tree tree) {
        return (int) sources.trees().getSourcePositions().getStartPosition(unit, tree);
    }

    final int end(Tree tree) {
        return (int) sources.trees().getSourcePositions().getEndPosition(unit, tree);
    }
}
