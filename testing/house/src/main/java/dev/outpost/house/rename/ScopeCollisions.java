package dev.outpost.house.rename;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;

/** Finds variables whose new name is already used in their scope, and leaves them out of a plan. */
final class ScopeCollisions extends NameScanner {
    private final RenamePlan plan;
    private final List<Scoped> locals = new ArrayList<>();
    private final List<Scoped> fields = new ArrayList<>();
    private final List<Use> uses = new ArrayList<>();

    /** A variable, its name after the rename, and its scope. */
    private record Scoped(Element element, String name, int offset, int start, int end) {
        boolean covers(int position) {
            return position >= start && position < end;
        }

        Scoped named(String better) {
            return new Scoped(element, better, offset, start, end);
        }

        boolean meets(Scoped other) {
            return covers(other.offset) || other.covers(offset);
        }
    }

    /** A use by the simple name. */
    private record Use(Element element, String name, int offset) {}

    private ScopeCollisions(AttributedSources sources, CompilationUnitTree unit, RenamePlan plan) {
        super(sources, unit);
        this.plan = plan;
    }

    static void leaveOut(AttributedSources sources, RenamePlan plan) {
        for (CompilationUnitTree unit : sources.units()) {
            ScopeCollisions collisions = new ScopeCollisions(sources, unit, plan);
            collisions.scan(unit, null);
            collisions.leaveOut();
        }
    }

    @Override
    void declared(Element element, Tree tree, String name, int offset) {
        if (tree instanceof VariableTree variable) {
            String better = plan.nameOf(element);
            boolean isField = element.getKind().isField();
            Tree scope = scope(getCurrentPath());
            int start = scope instanceof BlockTree || scope instanceof CaseTree ? start(variable) : start(scope);
            (isField ? fields : locals)
                    .add(new Scoped(element, better == null ? name : better, offset, start, end(scope)));
        }
    }

    @Override
    void referred(Element element, Tree tree, String name, int offset) {
        if (tree instanceof IdentifierTree
                && (element.getKind().isVariable() || element.getKind().isField())) {
            String better = plan.nameOf(element);
            uses.add(new Use(element, better == null ? name : better, offset));
        }
    }

    @Override
    void imported(List<? extends Element> members, String name, int offset) {}

    private static Tree scope(TreePath path) {
        TreePath parent = path.getParentPath();
        while (!(parent.getLeaf() instanceof BlockTree
                || parent.getLeaf() instanceof CaseTree
                || parent.getLeaf() instanceof MethodTree
                || parent.getLeaf() instanceof LambdaExpressionTree
                || parent.getLeaf() instanceof CatchTree
                || parent.getLeaf() instanceof TryTree
                || parent.getLeaf() instanceof ForLoopTree
                || parent.getLeaf() instanceof EnhancedForLoopTree
                || parent.getLeaf() instanceof ClassTree
                || parent.getParentPath() == null)) {
            parent = parent.getParentPath();
        }
        return parent.getLeaf();
    }

    private void leaveOut() {
        List<Scoped> left = new ArrayList<>();
        for (int i = 0; i < locals.size(); i++) {
            Element element = locals.get(i).element();
            while (plan.nameOf(element) != null && plan.isOptional(element) && isTaken(locals.get(i), left)) {
                if (plan.renameOtherwise(element)) {
                    locals.set(i, locals.get(i).named(plan.nameOf(element)));
                } else {
                    left.add(locals.get(i));
                    leaveOut(locals.get(i));
                }
            }
        }
        for (Scoped field : fields) {
            if (plan.isOptional(field.element()) && plan.nameOf(field.element()) != null && isFieldTaken(field, left)) {
                leaveOut(field);
            }
        }
    }

    private boolean isTaken(Scoped local, List<Scoped> left) {
        return locals.stream()
                        .anyMatch(other -> other.element() != local.element()
                                && !left.contains(other)
                                && other.name().equals(local.name())
                                && other.meets(local))
                || uses.stream()
                        .anyMatch(use -> use.name().equals(local.name())
                                && use.element().getKind().isField()
                                && local.covers(use.offset()));
    }

    private boolean isFieldTaken(Scoped field, List<Scoped> left) {
        Element owner = field.element().getEnclosingElement();
        return fields.stream()
                        .anyMatch(other -> other != field
                                && other.name().equals(field.name())
                                && other.element().getEnclosingElement().equals(owner))
                || uses.stream()
                        .filter(use -> use.element().equals(field.element()))
                        .anyMatch(use -> locals.stream()
                                .anyMatch(local -> !left.contains(local)
                                        && local.name().equals(field.name())
                                        && local.covers(use.offset())));
    }

    private void leaveOut(Scoped variable) {
        long line = unit.getLineMap().getLineNumber(variable.offset());
        plan.leaveOut(
                variable.element(),
                sources.source(unit).path() + ":" + line + ": " + variable.element() + " stays, " + variable.name()
                        + " is taken there");
    }
}
