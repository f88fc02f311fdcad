package dev.outpost.house.source;

import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.lang.model.element.Modifier;

/** Collects the names that a parsed source declares. */
final class DeclarationScanner extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final NamePositions positions;
    private final List<Declaration> found = new ArrayList<>();
    private final Deque<String> owners = new ArrayDeque<>(List.of(""));

    DeclarationScanner(CompilationUnitTree unit, NamePositions positions) {
        this.unit = unit;
        this.positions = positions;
    }

    List<Declaration> declarations() {
        scan(unit, null);
        return List.copyOf(found);
    }

    @Override
    public Void visitClass(ClassTree type, Void none) {
        String name = type.getSimpleName().toString();
        add(Declaration.Kind.TYPE, name, "", positions.of(type));
        owners.push(name.isEmpty() ? owners.peek() : name);
        for (Tree member : type.getMembers()) {
            if (member instanceof VariableTree field) {
                add(kindOf(field, type), field);
                scan(field.getInitializer(), none);
            } else {
                scan(member, none);
            }
        }
        owners.pop();
        return null;
    }

    private static Declaration.Kind kindOf(VariableTree field, ClassTree type) {
        return type.getKind() == Tree.Kind.RECORD
                        && !field.getModifiers().getFlags().contains(Modifier.STATIC)
                ? Declaration.Kind.COMPONENT
                : Declaration.Kind.FIELD;
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
        String name = method.getName().toString();
        if (!name.equals("<init>")) {
            add(Declaration.Kind.METHOD, name, TypeNames.of(method.getReturnType()), positions.of(method, name));
        }
        method.getParameters().forEach(parameter -> add(Declaration.Kind.PARAMETER, parameter));
        return scan(method.getBody(), none);
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree lambda, Void none) {
        lambda.getParameters().forEach(parameter -> add(Declaration.Kind.PARAMETER, parameter));
        return scan(lambda.getBody(), none);
    }

    @Override
    public Void visitCatch(CatchTree clause, Void none) {
        add(Declaration.Kind.CAUGHT, clause.getParameter());
        return scan(clause.getBlock(), none);
    }

    @Override
    public Void visitVariable(VariableTree variable, Void none) {
        add(Declaration.Kind.LOCAL, variable);
        return scan(variable.getInitializer(), none);
    }

    private void add(Declaration.Kind kind, VariableTree variable) {
        add(kind, variable.getName().toString(), TypeNames.of(variable), positions.of(variable));
    }

    private void add(Declaration.Kind kind, String name, String type, int position) {
        if (position >= 0) {
            int line = (int) unit.getLineMap().getLineNumber(position);
            found.add(new Declaration(kind, name, type, owners.peek(), line));
        }
    }
}
