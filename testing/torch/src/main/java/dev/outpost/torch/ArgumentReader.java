package dev.outpost.torch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.torch.Argument.BoolArgument;
import dev.outpost.torch.Argument.DTypeArgument;
import dev.outpost.torch.Argument.EllipsisArgument;
import dev.outpost.torch.Argument.FloatArgument;
import dev.outpost.torch.Argument.IntegerArgument;
import dev.outpost.torch.Argument.ListArgument;
import dev.outpost.torch.Argument.NullArgument;
import dev.outpost.torch.Argument.SliceArgument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.Argument.TextArgument;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import java.util.OptionalLong;

/** Turns the JSON of an argument into an {@link Argument}. */
public final class ArgumentReader {
    private ArgumentReader() {}

    public static Argument read(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY ->
                new ListArgument(node.valueStream().map(ArgumentReader::read).toList());
            case BOOLEAN -> new BoolArgument(node.booleanValue());
            case NULL -> new NullArgument();
            case NUMBER -> readNumber(node);
            case STRING -> new TextArgument(node.textValue());
            case OBJECT -> readTagged(node);
            case BINARY, MISSING, POJO -> throw unknown(node);
        };
    }

    private static Argument readNumber(JsonNode node) {
        if (node.isFloatingPointNumber()) {
            return new FloatArgument(node.doubleValue());
        }
        if (!node.canConvertToLong()) {
            throw new MalformedException("an integer of more than 64 bits, got " + node);
        }
        return new IntegerArgument(node.longValue());
    }

    private static Argument readTagged(JsonNode node) {
        if (node.has("tensor")) {
            return new TensorArgument(
                    node.get("tensor").textValue(), node.path("requires_grad").asBoolean());
        }
        if (node.has("dtype")) {
            return new DTypeArgument(DType.ofLabel(node.get("dtype").textValue()));
        }
        if (node.has("slice")) {
            return readSlice(node.get("slice"));
        }
        if (node.has("float")) {
            return new FloatArgument(readSpecial(node.get("float")));
        }
        if (node.has("ellipsis")) {
            return new EllipsisArgument();
        }
        throw unknown(node);
    }

    private static SliceArgument readSlice(JsonNode bounds) {
        return new SliceArgument(readBound(bounds.get(0)), readBound(bounds.get(1)), readBound(bounds.get(2)));
    }

    private static OptionalLong readBound(JsonNode bound) {
        return bound.isNull() ? OptionalLong.empty() : OptionalLong.of(bound.longValue());
    }

    private static double readSpecial(JsonNode node) {
        return switch (node.asText()) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan" -> Double.NaN;
            default -> throw unknown(node);
        };
    }

    private static MalformedException unknown(JsonNode node) {
        return new MalformedException("an argument of no known form, got " + node);
    }
}
