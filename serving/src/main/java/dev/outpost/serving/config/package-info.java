/** The settings of the server of models. */
package dev.outpost.serving.config;
