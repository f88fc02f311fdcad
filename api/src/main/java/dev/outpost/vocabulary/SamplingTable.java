package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.GridPadding;
import dev.outpost.nn.InterpolationMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resizing of images, and sampling between elements. */
final class SamplingTable {
    private static final Map<String, InterpolationMode> MODES = Map.of(
            "nearest", InterpolationMode.NEAREST,
            "nearest-exact", InterpolationMode.NEAREST_EXACT,
            "linear", InterpolationMode.LINEAR,
            "bilinear", InterpolationMode.LINEAR,
            "trilinear", InterpolationMode.LINEAR,
            "bicubic", InterpolationMode.BICUBIC,
            "area", InterpolationMode.AREA);

    /** The number of dimensions that a mode requires, for modes that accept only one. */
    private static final Map<String, Integer> RANKS = Map.of("linear", 3, "bilinear", 4, "trilinear", 5, "bicubic", 4);

    private SamplingTable() {}

    static void addTo(OpRegistry registry) {
        registry.one("nn.functional.interpolate", SamplingTable::interpolate);
        registry.one(
                "nn.functional.upsample",
                call -> upsample(
                        call,
                        call.at(3, "mode").text("nearest"),
                        call.at(4, "align_corners").bool(false)));
        registry.one("nn.functional.upsample_nearest", call -> upsample(call, "nearest", false));
        registry.one("nn.functional.upsample_bilinear", call -> upsample(call, "bilinear", true));
        registry.one(
                "nn.functional.grid_sample",
                call -> Functional.gridSample(
                        call.self(),
                        call.at(1, "grid").tensor(),
                        call.at(2, "mode").choice(MODES, InterpolationMode.LINEAR),
                        call.at(3, "padding_mode").choice(GridPadding.class, GridPadding.ZEROS),
                        call.at(4, "align_corners").bool(false)));
    }

    private static Tensor interpolate(OpCall call) {
        return Functional.interpolate(
                call.self(),
                sizes(call.at(1, "size")),
                factors(call.at(2, "scale_factor")),
                mode(call, call.at(3, "mode")),
                call.at(4, "align_corners").bool(false),
                call.at(5, "recompute_scale_factor").bool(false),
                call.at(6, "antialias").bool(false));
    }

    private static InterpolationMode mode(OpCall call, BoundArgument boundArgument) {
        Integer rank = RANKS.get(boundArgument.text("nearest"));
        if (rank != null && rank != call.self().dim()) {
            throw new ArgumentTypeException(
                    call.op(), "mode", "one for " + call.self().dim() + " dimensions", boundArgument.value());
        }
        return boundArgument.choice(MODES, InterpolationMode.NEAREST);
    }

    private static Tensor upsample(OpCall call, String mode, boolean alignsCorners) {
        return Functional.interpolate(
                call.self(),
                sizes(call.at(1, "size")),
                factors(call.at(2, "scale_factor")),
                mode(call, new BoundArgument(call, "mode", mode, true)),
                alignsCorners,
                false,
                false);
    }

    private static long @Nullable [] sizes(BoundArgument boundArgument) {
        return boundArgument.isPresent() ? boundArgument.sizes() : null;
    }

    private static double @Nullable [] factors(BoundArgument boundArgument) {
        if (!boundArgument.isPresent()) {
            return null;
        }
        return boundArgument.isList()
                ? boundArgument.items().stream()
                        .mapToDouble(item -> item.real(0))
                        .toArray()
                : new double[] {boundArgument.real(0)};
    }
}
