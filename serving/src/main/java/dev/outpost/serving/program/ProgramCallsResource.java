package dev.outpost.serving.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.HostTensor;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.engine.ProgramAnswer;
import dev.outpost.serving.engine.ProgramInputs;
import dev.outpost.serving.engine.ProgramModel;
import dev.outpost.types.TensorType;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Calls of programs that {@code machine.publish} published. */
@Path("/v1/programs/{name}")
@Produces(MediaType.WILDCARD)
public class ProgramCallsResource {
    /** The header with the number of calls that were computed together. */
    static final String TOGETHER = "Outpost-Calls-Together";

    private static final String NPY = "application/x-npy";
    private static final String SAFETENSORS = "application/vnd.safetensors";

    private final ModelDirectory models;

    ProgramCallsResource(ModelDirectory models) {
        this.models = models;
    }

    /** The inputs of a call: a nested array for each input. */
    public record CallRequest(List<JsonNode> inputs) {}

    /** The outputs of a call: a nested array for each output. */
    public record CallAnswer(List<JsonNode> outputs) {}

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RunOnVirtualThread
    @Operation(
            summary = "Calls a published program",
            description =
                    "Where rows are independent of each other, inputs have any number of rows, and calls that wait are computed"
                            + " together; the header Outpost-Calls-Together says how many. Accept chooses JSON, " + NPY
                            + " or "
                            + SAFETENSORS + ".")
    public Response call(
            @PathParam("name") String name, CallRequest request, @HeaderParam(HttpHeaders.ACCEPT) String accept) {
        if (request == null || request.inputs() == null) {
            throw new IllegalArgumentException("inputs: expected an array with a nested array for each input");
        }
        ProgramModel program = models.program(name);
        return answer(program, read(program, request.inputs()), accept);
    }

    private static List<HostTensor> read(ProgramModel program, List<JsonNode> inputs) {
        List<TensorType> types = program.inputs();
        List<HostTensor> given = new ArrayList<>();
        for (int place = 0; place < Math.min(types.size(), inputs.size()); place++) {
            given.add(TensorJson.read(
                    "inputs[" + place + "]", inputs.get(place), types.get(place).dtype()));
        }
        if (inputs.size() != types.size()) {
            throw new IllegalArgumentException(
                    "inputs: the program " + program.name() + " takes " + types.size() + ", got " + inputs.size());
        }
        return given;
    }

    @POST
    @Consumes({NPY, SAFETENSORS})
    @RunOnVirtualThread
    @Operation(summary = "Calls a published program with tensors in a binary format, and answers in it")
    public Response call(
            @PathParam("name") String name,
            byte[] body,
            @HeaderParam(HttpHeaders.CONTENT_TYPE) String type,
            @HeaderParam(HttpHeaders.ACCEPT) String accept) {
        ProgramBody form = type.startsWith(NPY) ? ProgramBody.NPY : ProgramBody.SAFETENSORS;
        ProgramModel program = models.program(name);
        boolean isAny = accept == null || accept.equals(MediaType.WILDCARD);
        return answer(program, form.readBody(body), isAny ? form.type() : accept);
    }

    private static Response answer(ProgramModel program, List<HostTensor> inputs, String accept) {
        ProgramAnswer answer = program.call(ProgramInputs.checked(program, inputs));
        Response.ResponseBuilder built = switch (accept) {
            case NPY -> Response.ok(ProgramBody.NPY.written(answer.outputs()), NPY);
            case SAFETENSORS -> Response.ok(ProgramBody.SAFETENSORS.written(answer.outputs()), SAFETENSORS);
            case null, default ->
                Response.ok(
                        new CallAnswer(
                                answer.outputs().stream().map(TensorJson::write).toList()),
                        MediaType.APPLICATION_JSON);
        };
        return built.header(TOGETHER, answer.calls()).build();
    }
}
