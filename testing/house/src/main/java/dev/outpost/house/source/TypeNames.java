package dev.outpost.house.source;

import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnionTypeTree;
import com.sun.source.tree.VariableTree;
import java.util.stream.Collectors;

/** Types as a source writes them, without packages and annotations. */
final class TypeNames {
    private TypeNames() {}

    /** Returns the type of a variable. For {@code var} it is the created type if the initializer is a {@code new} expression. */
    static String of(VariableTree variable) {
        Tree type = variable.getType();
        if (type != null && !type.toString().equals("var")) {
            return of(type);
        }
        ExpressionTree value = variable.getInitializer();
        return value instanceof NewClassTree made ? of(made.getIdentifier()) : "";
    }

    static String of(Tree type) {
        return switch (type) {
            case null -> "";
            case AnnotatedTypeTree annotated -> of(annotated.getUnderlyingType());
            case MemberSelectTree select -> select.getIdentifier().toString();
            case ArrayTypeTree array -> of(array.getType()) + "[]";
            case ParameterizedTypeTree generic ->
                of(generic.getType())
                        + generic.getTypeArguments().stream()
                                .map(TypeNames::of)
                                .collect(Collectors.joining(", ", "<", ">"));
            case UnionTypeTree union ->
                union.getTypeAlternatives().stream().map(TypeNames::of).collect(Collectors.joining(" | "));
            default -> type.toString();
        };
    }
}
