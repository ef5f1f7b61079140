// kind: any

#define B(x) x x x x x x x x x x x x x x x x
#define C(x) B(x) B(x) B(x) B(x) B(x) B(x) B(x) B(x)
#define D(x) C(x) C(x) C(x) C(x) C(x) C(x) C(x) C(x)
#define E(x) D(x) D(x) D(x) D(x) D(x) D(x) D(x) D(x)
#define F(x) E(x) E(x) E(x) E(x) E(x) E(x) E(x) E(x)
#define G(x) F(x) F(x) F(x) F(x) F(x) F(x) F(x) F(x)
#define H(x) G(x) G(x) G(x) G(x) G(x) G(x) G(x) G(x)
int numbers[] = {H(1 +)};
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {}
