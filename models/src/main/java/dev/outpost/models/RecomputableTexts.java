package dev.outpost.models;

import dev.outpost.Tensor;
import java.util.List;

/** Whole texts, which nothing is remembered of: a layer's answer can be computed again from these tensors. */
interface RecomputableTexts extends KeyValues {
    List<Tensor> tensors();

    /** The same over other handles of these tensors. */
    KeyValues over(List<Tensor> handles);
}
