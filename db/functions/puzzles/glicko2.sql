CREATE OR REPLACE FUNCTION glicko2(p_of glicko, p_others glicko[], p_scores double precision[]) RETURNS glicko
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    SCALE CONSTANT double precision := 173.7178;
    TAU   CONSTANT double precision := 0.5;
    v_mu       double precision := (p_of.rating - 1500) / SCALE;
    v_phi      double precision := p_of.rd / SCALE;
    v_inverse  double precision := 0; -- 1/v
    v_gain     double precision := 0; -- sum of the scores minus the expected ones
    v_g        double precision;
    v_expected double precision;
    v_new      double precision;
BEGIN
    FOR i IN 1 .. cardinality(p_others) LOOP
        v_g := 1 / sqrt(1 + 3 * ((p_others[i]).rd / SCALE) ^ 2 / pi() ^ 2);
        v_expected := 1 / (1 + exp(-v_g * (v_mu - ((p_others[i]).rating - 1500) / SCALE)));
        v_inverse := v_inverse + v_g ^ 2 * v_expected * (1 - v_expected);
        v_gain := v_gain + v_g * (p_scores[i] - v_expected);
    END LOOP;
    v_new := glicko2_volatility(v_phi, p_of.volatility, 1 / v_inverse, v_gain / v_inverse, TAU);
    v_phi := 1 / sqrt(1 / (v_phi ^ 2 + v_new ^ 2) + v_inverse);
    RETURN ROW(1500 + SCALE * (v_mu + v_phi ^ 2 * v_gain), SCALE * v_phi, v_new)::glicko;
END $$;

COMMENT ON FUNCTION glicko2 IS
'A rating after one period of games against others: steps 2 to 8 of Glickman, "Example of the Glicko-2 system"
(2022). p_scores: 1 for a win, 0 for a loss.
Called by puzzle_try_store.';

CREATE OR REPLACE FUNCTION glicko2_volatility(p_phi double precision, p_volatility double precision,
                                              p_v double precision, p_delta double precision,
                                              p_tau double precision)
    RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    NEAR CONSTANT double precision := 0.000001;
    v_a   double precision := ln(p_volatility ^ 2);
    v_low double precision := v_a;
    v_up  double precision;
    v_c   double precision;
    v_f   double precision[]; -- at v_low, v_up, and v_c
BEGIN
    IF p_delta ^ 2 > p_phi ^ 2 + p_v THEN
        v_up := ln(p_delta ^ 2 - p_phi ^ 2 - p_v);
    ELSE
        v_up := v_a - p_tau;
        WHILE glicko2_slope(v_up, v_a, p_phi, p_v, p_delta, p_tau) < 0 LOOP
            v_up := v_up - p_tau;
        END LOOP;
    END IF;
    v_f := ARRAY[glicko2_slope(v_low, v_a, p_phi, p_v, p_delta, p_tau),
                 glicko2_slope(v_up, v_a, p_phi, p_v, p_delta, p_tau), 0];
    WHILE abs(v_up - v_low) > NEAR LOOP
        v_c := v_low + (v_low - v_up) * v_f[1] / (v_f[2] - v_f[1]);
        v_f[3] := glicko2_slope(v_c, v_a, p_phi, p_v, p_delta, p_tau);
        IF v_f[3] * v_f[2] <= 0 THEN
            v_low := v_up;
            v_f[1] := v_f[2];
        ELSE
            v_f[1] := v_f[1] / 2;
        END IF;
        v_up := v_c;
        v_f[2] := v_f[3];
    END LOOP;
    RETURN exp(v_low / 2);
END $$;

COMMENT ON FUNCTION glicko2_volatility IS
'The new volatility: step 5, by the Illinois algorithm.
Called by glicko2.';

CREATE OR REPLACE FUNCTION glicko2_slope(p_x double precision, p_a double precision, p_phi double precision,
                                         p_v double precision, p_delta double precision,
                                         p_tau double precision)
    RETURNS double precision
    LANGUAGE sql IMMUTABLE AS $$
    SELECT exp(p_x) * (p_delta ^ 2 - p_phi ^ 2 - p_v - exp(p_x)) / (2 * (p_phi ^ 2 + p_v + exp(p_x)) ^ 2)
           - (p_x - p_a) / p_tau ^ 2
$$;

COMMENT ON FUNCTION glicko2_slope IS
'The function f of step 5, whose zero is the logarithm of the new variance.
Called by glicko2_volatility.';
