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
 * Reads requests as OpenAI does: a number is no text and a fraction no whole number, null is absent, and a known field that is not
 * honoured here is refused with its reason.
 */
@Singleton
public final class StrictRequests implements ObjectMapperCustomizer {
    @Override
    @SuppressWarnings("deprecation") // There is no other way for a mapper that exists already.
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

    /** A field that is refused with its reason. */
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
                    // An answer in the background is refused, one in the foreground is usual.
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
