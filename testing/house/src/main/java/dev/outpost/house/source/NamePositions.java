package dev.outpost.house.source;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.SourcePositions;
import java.util.List;

/** Finds the positions of the names of declarations. javac's public API has the start of the declaration only. */
public final class NamePositions {
    private final SourcePositions positions;
    private final CompilationUnitTree unit;
    private final String text;

    public NamePositions(SourcePositions positions, CompilationUnitTree unit, String text) {
        this.positions = positions;
        this.unit = unit;
        this.text = text;
    }

    /** Returns the offset of the name of a type, or -1 if it has none. */
    public int of(ClassTree type) {
        return find(type, type.getSimpleName().toString(), afterModifiers(type, type.getModifiers()));
    }

    /** Returns the offset of the name of a method; a constructor has the name of its class. */
    public int of(MethodTree method, String name) {
        int from = afterModifiers(method, method.getModifiers());
        if (method.getReturnType() != null) {
            from = Math.max(from, end(method.getReturnType()));
        }
        return find(method, name, Math.max(from, end(method.getTypeParameters())));
    }

    /** Returns the offset of the name of a variable, or -1 if the source has none, as for {@code _}. */
    public int of(VariableTree variable) {
        String name = variable.getName().toString();
        int from = afterModifiers(variable, variable.getModifiers());
        Tree type = variable.getType();
        int afterType = type == null ? from : Math.max(from, end(type));
        int found = find(variable, name, afterType);
        return found < 0 && afterType > from ? find(variable, name, from) : found;
    }

    private int find(Tree tree, String name, int from) {
        return name.isEmpty() || from < 0 ? -1 : JavaLexer.find(text, name, from, end(tree));
    }

    private int afterModifiers(Tree tree, ModifiersTree modifiers) {
        return Math.max(start(tree), end(modifiers));
    }

    private int end(List<? extends Tree> trees) {
        return trees.isEmpty() ? -1 : end(trees.getLast());
    }

    private int start(Tree tree) {
        return (int) positions.getStartPosition(unit, tree);
    }

    private int end(Tree tree) {
        return (int) positions.getEndPosition(unit, tree);
    }
}
