package dev.outpost.serving.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.io.IOException;

/**
 * Makes the JSON mapper as strict as OpenAI's API. A number is not accepted as text, nor a fraction as an integer. Null counts as absent.
 * A known field that this server does not implement is an error with a reason.
 */
@Singleton
public final class StrictRequests implements ObjectMapperCustomizer {
    @Override
    @SuppressWarnings("deprecation") // Only this deprecated method changes an existing mapper.
    public void customize(ObjectMapper mapper) {
        mapper.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
        mapper.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
        for (CoercionInputShape shape : new CoercionInputShape[] {
            CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
        }) {
            mapper.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
        }
        mapper.addHandler(new KnownFields());
    }

    /** Thrown for a field that this server does not implement. */
    static final class RefusedFieldException extends JsonMappingException {
        private static final long serialVersionUID = 1;

        private final String field;
        private final String reason;

        RefusedFieldException(JsonParser parser, String field, String reason) {
            super(parser, field + ": " + reason);
            this.field = field;
            this.reason = reason;
        }

        String field() {
            return field;
        }

        String reason() {
            return reason;
        }
    }

    private static final class KnownFields extends DeserializationProblemHandler {
        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                JsonDeserializer<?> deserializer,
                Object request,
                String field)
                throws IOException {
            Class<?> type = request instanceof Class<?> known ? known : request.getClass();
            String refusal = ApiFields.refusal(type, field);
            boolean isAbsent = parser.currentToken() == JsonToken.VALUE_NULL
                    // Only background answers are refused. The value false selects the usual foreground, so it counts
                    // as absent.
                    || parser.currentToken() == JsonToken.VALUE_FALSE && field.equals("background");
            if (refusal != null && !isAbsent) {
                throw new RefusedFieldException(parser, field, refusal);
            }
            if (refusal == null && !ApiFields.isWithoutEffect(type, field)) {
                return false;
            }
            parser.skipChildren();
            return true;
        }
    }
}
