// What the page uses of ECharts, and nothing else: the bundle is made of this file (build.sh).
import { init, use } from 'echarts/core';
import { BarChart, CustomChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';

use([BarChart, CustomChart, GridComponent, TooltipComponent, SVGRenderer]);

globalThis.echarts = { init };
